// The watchdog's thread. It writes the stack of the hanging code to the log, then kills the process: nothing gentler works,
// because exit handlers would have to run on the thread that hangs. Plain JavaScript, as is what it imports, so that the thread
// loads nothing to strip types with.
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { collectGarbage } from '../lib/performance/collect-garbage.js';

const { beats, beatMs, maxMissedBeats, priority } = workerData;
const stackMs = 2000;
const maxFrames = 20;
/** Later than in the other threads: all set the same flag of V8 for it. */
const collectAfterMs = 3000;

let lastBeat = Atomics.load(beats, 0);
let missed = 0;
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  missed = beat === lastBeat ? missed + 1 : 0;
  lastBeat = beat;
  if (missed === maxMissedBeats) endProcess();
}, beatMs);

// The start of the thread leaves 2 to 3 MB behind.
setTimeout(collectGarbage, collectAfterMs).unref();

function endProcess() {
  const end = (stack) => {
    const msg = `the event loop has not turned for ${(maxMissedBeats * beatMs) / 1000} seconds; ending the process`;
    writeSync(1, `${priority}${JSON.stringify({ level: 60, time: Date.now(), stack, msg })}\n`);
    process.kill(process.pid, 'SIGKILL');
  };
  // Code that runs native code only, such as a long SQL statement, cannot be paused.
  setTimeout(() => end(['the running code could not be paused']), stackMs);
  const session = new Session();
  session.connectToMainThread();
  session.on('Debugger.paused', ({ params }) => end(params.callFrames.slice(0, maxFrames).map(frameText)));
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function frameText({ functionName, url, location }) {
  return `${functionName === '' ? '(anonymous)' : functionName} ${url}:${location.lineNumber + 1}`;
}
