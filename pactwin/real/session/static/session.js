"use strict";
// What the server says is shown as text, never as HTML.

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const MISTAKES = ["", "moved", "turned", "swapped", "missing", "upside_down", "other_state"];
let state = null;
let shown = "";
let acting = false;
let acts = 0;

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made[name] = value;
  made.append(...children);
  return made;
}

function drawn(tag, attributes, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

// The plan: mm from the middle of the near edge, up is away from the operator's side.
function plan(steps) {
  const points = steps.flatMap((step) => [...step.outline, step.middle]);
  const right = Math.max(250, ...points.map(([x]) => Math.abs(x) + 60));
  const top = Math.max(300, ...points.map(([, y]) => y + 50));
  const svg = drawn("svg", { viewBox: `${-right} ${-top} ${2 * right} ${top + 28}`, role: "img" });
  svg.append(drawn("title", {}, "Layout seen from above"));
  for (let x = -Math.floor(right / 100) * 100; x <= right; x += 100)
    svg.append(drawn("line", { x1: x, x2: x, y1: -top, y2: 0, stroke: x ? "#e6e8eb" : "#b8c0ca" }));
  for (let y = 100; y < top; y += 100)
    svg.append(drawn("line", { x1: -right, x2: right, y1: -y, y2: -y, stroke: "#e6e8eb" }));
  svg.append(drawn("line", { x1: -right, x2: right, y1: 0, y2: 0, stroke: "#1c2430", "stroke-width": 3 }));
  svg.append(drawn("text", { x: 0, y: 21, "font-size": 17, "text-anchor": "middle", fill: "#5b6675" },
    "near edge, where the robot stands · squares of 100 mm"));
  const path = (corners) => corners.map(([x, y]) => `${x},${-y}`).join(" ");
  const labels = [];
  for (const step of steps) {
    const [x, y] = step.middle;
    const bad = step.found && !step.found.ok;
    const line = bad ? "#b3161b" : step.found ? "#17722f" : "#1b4f9c";
    svg.append(drawn("polygon", { points: path(step.outline), fill: line, "fill-opacity": 0.1, stroke: line,
      "stroke-width": 2, "stroke-dasharray": "8 5" }));
    if (step.contact.length)
      svg.append(drawn("polygon", { points: path(step.contact), fill: "none", stroke: line, "stroke-width": 2 }));
    if (step.heading_rad !== null) {
      const tip = [x - 30 * Math.sin(step.heading_rad), -y - 30 * Math.cos(step.heading_rad)];
      svg.append(drawn("line", { x1: x, y1: -y, x2: tip[0], y2: tip[1], stroke: line, "stroke-width": 2 }));
      svg.append(drawn("circle", { cx: tip[0], cy: tip[1], r: 4, fill: line }));
    }
    // What stands on something is named beside it.
    const before = labels.filter(([u, v]) => Math.hypot(u - x, v - y) < 34).length;
    labels.push(step.middle);
    svg.append(drawn("circle", { cx: x + 34 * before, cy: -y, r: 14, fill: "#fff", stroke: line, "stroke-width": 2 }));
    svg.append(drawn("text", { x: x + 34 * before, y: -y + 6, "font-size": 18, "text-anchor": "middle",
      "font-weight": 700, fill: line }, String(step.step)));
  }
  return svg;
}

function said(found) {
  if (!found) return "";
  const words = [(found.ok ? "✓ in place" : "✗ " + found.state) + (found.detail ? ` (${found.detail})` : "")];
  if (found.position_mm !== null) words.push(`${found.position_mm.toFixed(0)} mm off`);
  if (found.yaw_deg !== null) words.push(`turned by ${found.yaw_deg.toFixed(0)}°`);
  return words.join(", ");
}

function options(select, values, names = values) {
  const kept = select.value;
  select.replaceChildren(...values.map((value, k) => element("option", { value, textContent: names[k] })));
  if (values.includes(kept)) select.value = kept;
}

function show() {
  const done = state.scenes.filter((scene) => scene.done).length;
  options($("scenes"), state.scenes.map((s) => s.id), state.scenes.map((s) => `${s.number}${s.done ? " ✓" : ""}`));
  $("scenes").value = state.scene;
  $("progress").textContent = `${done} of ${state.scenes.length} captured · id ${state.scene}`;
  $("source").textContent = state.source;
  $("source").hidden = state.source === "real";
  $("fault").textContent = state.fault;
  $("fault").hidden = !state.fault;
  $("plan").replaceChildren(plan(state.steps));
  $("steps").replaceChildren(...state.steps.map((step) => {
    const number = element("b", { textContent: step.step });
    number.style.borderColor = `rgb(${step.rgb.join(",")})`;
    const found = element("span", { className: "found " + (step.found && step.found.ok ? "good" : "bad"),
      textContent: said(step.found) });
    return element("li", {}, number, element("span", {}, element("strong", { textContent: step.name }), " ", found),
      element("span", { className: "how", textContent: `${step.notes}; ${step.where}` }));
  }));
  $("twin").replaceChildren(...state.twin.map((name) => element("figure", {},
    element("img", { src: `/twin/${encodeURIComponent(name)}.png?${state.scene}`, alt: `simulated, ${name}` }),
    element("figcaption", { textContent: name }))));
  $("wrong").replaceChildren(...state.faults.map((fault) => element("li", { textContent: fault })));
  $("rehearsal").hidden = !state.rehearsed;
  options($("thing"), state.steps.map((step) => step.name));
  options($("constraint"), ["", ...state.constraints], ["not said", ...state.constraints]);
  $("afterwards").hidden = !state.captured;
  $("action").textContent = state.action;
  const outcome = state.outcome;
  $("noted").textContent = !outcome ? "" : "noted: " + (outcome.worked ? "worked" :
    ["failed", outcome.constraint, outcome.how].filter(Boolean).join(", "));
  const wrong = state.checked && !state.as_planned;
  $("anyway").hidden = !wrong;
  $("capture").textContent = state.captured ? "Capture again" : "Capture";
  mark();
  if (state.doing) tell(`${state.doing} …`);
  else if (!acting && !$("said").classList.contains("bad")) tell(hint());
}

function hint() {
  if (state.captured && state.checked && !state.as_planned)
    return "Captured before, but by now it is not as planned: put right what is marked to capture it again, or go on.";
  if (state.captured) return state.outcome ? "Done. Go on to the next scene." : "Captured. Carry the action out, note what happened, go on.";
  if (!state.checked) return "Set the scene up, then check it.";
  if (state.as_planned) return "All in place: capture it.";
  return "Put right what is marked, and check again; or say in the notes why it stays, and capture anyway.";
}

function mark() {
  const step = state.captured ? "next" : state.checked && state.as_planned ? "capture" : "check";
  for (const name of ["check", "capture", "next"]) $(name).classList.toggle("now", name === step);
  const busy = acting || Boolean(state.doing);
  for (const button of document.querySelectorAll("button")) button.disabled = busy;
  $("scenes").disabled = busy;
}

function tell(text, bad = false) {
  $("said").textContent = text;
  $("said").className = bad ? "bad" : "";
}

async function refresh() {
  try {
    const since = acts;
    const text = await (await fetch("/state")).text();
    if (text === shown || since !== acts) return; // asked before what was done last
    if (state && state.scene !== JSON.parse(text).scene) forget();
    state = JSON.parse(text);
    shown = text;
    cameras();
    show();
  } catch (error) {
    $("fault").textContent = "No answer from pactwin mirror session: is it running? Start it again, it goes on here.";
    $("fault").hidden = false;
    shown = "";
  }
}

function forget() {
  for (const name of ["notes", "how", "constraint", "mistake"]) $(name).value = "";
  for (const radio of document.getElementsByName("worked")) radio.checked = false;
  tell("");
}

async function act(name, order, done) {
  acting = true;
  mark();
  tell("…");
  let error = "";
  try {
    const answer = await fetch("/" + name, { method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ scene: state.scene, ...order }) });
    const result = await answer.json();
    error = result.error || "";
    if (!error && done) done(result);
  } catch (failure) {
    error = "No answer from pactwin mirror session.";
  }
  acting = false;
  acts += 1;
  shown = "";
  tell("");
  await refresh();
  if (error) tell(error, true);
}

function cameras() {
  if ($("live").childElementCount) return;
  for (const name of state.cameras) {
    const image = element("img", { alt: `live picture, ${name}` });
    const figure = element("figure", { tabIndex: 0, title: "Enlarge: as large as the window, then twice that" },
      image, element("figcaption", { textContent: name }));
    const again = () => {
      const whole = figure.className ? "whole&" : "";
      image.src = `/live/${encodeURIComponent(name)}.jpg?${whole}${Date.now()}`;
    };
    const sizes = ["", "large", "large twice"];
    figure.onclick = () => { figure.className = sizes[(sizes.indexOf(figure.className) + 1) % 3]; };
    figure.onkeydown = ({ key }) => {
      if (key === "Enter") figure.click();
      if (key === "Escape") figure.className = "";
    };
    image.onload = () => setTimeout(again, 300);
    image.onerror = () => setTimeout(again, 1500);
    $("live").append(figure);
    again();
  }
}

$("check").onclick = () => act("check", {});
$("capture").onclick = () => act("capture", { notes: $("notes").value, again: state.captured });
$("anyway").onclick = () => act("capture", { notes: $("notes").value, anyway: true, again: state.captured });
$("next").onclick = () => act("next", {}, ({ more }) => { if (!more) alert("No other scene is left to capture."); });
$("scenes").onchange = () => act("go", { to: $("scenes").value });
$("set-up").onclick = () => {
  const names = state.steps.map((step) => step.name);
  const thing = $("thing").value;
  const other = names[(names.indexOf(thing) + 1) % names.length];
  act("set-up", { mistake: $("mistake").value, thing, other });
};
$("note").onclick = () => {
  const chosen = [...document.getElementsByName("worked")].find((radio) => radio.checked);
  if (!chosen) return tell("Say whether it worked.", true);
  const worked = chosen.value === "yes";
  act("outcome", { outcome: { worked, constraint: worked ? null : $("constraint").value || null, how: $("how").value } });
};
options($("mistake"), MISTAKES, MISTAKES.map((name) => name.replace("_", " ") || "none"));
refresh();
setInterval(refresh, 1000);
