#!/usr/bin/env bash
# A small suite, six baselines that answer it, and a report. Run again, it reuses the suite.
set -euo pipefail
cd "$(dirname "$0")/.."
pactwin=.venv/bin/pactwin
suite=demo/suite logs=demo/logs report=demo/report.html

$pactwin make constraints --out $suite --seed 1 --pairs 40 --workers 2 \
    --domains size_mismatch,support,stability,reachability
$pactwin check $suite
rm -rf $logs
$pactwin eval $suite --log-dir $logs \
    --model pactwin/oracle --model pactwin/random --model pactwin/blind --model pactwin/shortcut \
    --model pactwin/always-yes --model pactwin/always-no
$pactwin compare $logs --force --out $report --json demo/scores.json
echo "The report: $PWD/$report"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && command -v xdg-open >/dev/null; then
    xdg-open "$report"
fi
