// A peer of the robot's DDS version: `peer write|read DOMAIN RATE_HZ SECONDS` publishes joint states
// or takes them, and prints how many when the time is over, or
// SIGTERM comes. CYCLONEDDS_URI names the interface.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dds/dds.h"
#include "dds/version.h"
#include "lowstate.h"

typedef unitree_hg_msg_dds__LowState_ State;
_Static_assert(sizeof(State) == 2092, "the layout in C that the checksum is of");

static volatile sig_atomic_t ended = 0;
static void end(int signal) { (void)signal; ended = 1; }

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// CRC-32/MPEG-2 over 32-bit words, as Unitree's SDK has it.
static uint32_t checksum(const State *state) {
  const unsigned char *bytes = (const unsigned char *)state;
  uint32_t crc = 0xFFFFFFFF;
  for (size_t at = 0; at + 4 < sizeof(State); at += 4) {
    uint32_t word;
    memcpy(&word, bytes + at, 4);
    for (int bit = 31; bit >= 0; bit--) {
      uint32_t top = (crc >> 31) ^ (word >> bit & 1);
      crc = (crc << 1) ^ (top ? 0x04C11DB7 : 0);
    }
  }
  return crc;
}

static long write_states(dds_entity_t participant, dds_entity_t topic, double rate_hz, double seconds) {
  dds_entity_t writer = dds_create_writer(participant, topic, NULL, NULL);
  State state;
  memset(&state, 0, sizeof state);
  state.mode_machine = 5;
  state.imu_state.quaternion[0] = 1;
  state.imu_state.accelerometer[2] = 9.81f;
  for (int k = 0; k < 35; k++) {
    state.motor_state[k].mode = k < 29;
    state.motor_state[k].q = k / 64.0f;
    state.motor_state[k].vol = k < 29 ? 50 : 0;
    state.motor_state[k].temperature[0] = k < 29 ? 46 : 0;
  }
  int64_t start = now_ns();
  long count = 0;
  for (; !ended && now_ns() - start < seconds * 1e9; count++) {
    state.tick = (uint32_t)count;
    state.crc = checksum(&state);
    if (dds_write(writer, &state) != DDS_RETCODE_OK) exit(3);
    int64_t wait = start + (int64_t)((count + 1) * 1e9 / rate_hz) - now_ns();
    if (wait > 0) dds_sleepfor(wait);
  }
  return count;
}

static long read_states(dds_entity_t participant, dds_entity_t topic, double seconds) {
  dds_entity_t reader = dds_create_reader(participant, topic, NULL, NULL);
  long count = 0;
  for (int64_t start = now_ns(); !ended && now_ns() - start < seconds * 1e9; dds_sleepfor(DDS_MSECS(2))) {
    void *samples[1] = {NULL};
    dds_sample_info_t info[1];
    int taken = dds_take(reader, samples, info, 1, 1);
    if (taken > 0) {
      if (info[0].valid_data && ((State *)samples[0])->crc == checksum(samples[0])) count++;
      dds_return_loan(reader, samples, taken);
    }
  }
  return count;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  signal(SIGTERM, end);
  dds_entity_t participant = dds_create_participant((dds_domainid_t)atoi(argv[2]), NULL, NULL);
  dds_entity_t topic = dds_create_topic(
      participant, &unitree_hg_msg_dds__LowState__desc, "rt/lowstate", NULL, NULL);
  if (participant < 0 || topic < 0) return 4;
  printf("%s\n", DDS_VERSION);
  fflush(stdout);
  double rate_hz = atof(argv[3]), seconds = atof(argv[4]);
  printf("%ld\n", strcmp(argv[1], "write") ? read_states(participant, topic, seconds)
                                            : write_states(participant, topic, rate_hz, seconds));
  return 0;
}
