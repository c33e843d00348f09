// The watchdog's thread. It writes the stack of the hanging code to the log, then kills the process: nothing gentler works,
// because exit handlers would have to run on the thread that hangs.
import { writeSync } from 'node:fs';
import { Session, type Debugger } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { beatMs, maxMissedBeats } from './watchdog.ts';

const beats = workerData as Int32Array;
const stackMs = 2000;
const maxFrames = 20;

let lastBeat = Atomics.load(beats, 0);
let missed = 0;
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  missed = beat === lastBeat ? missed + 1 : 0;
  lastBeat = beat;
  if (missed === maxMissedBeats) endProcess();
}, beatMs);

function endProcess(): void {
  const end = (stack: readonly string[]): never => {
    const msg = `the event loop has not turned for ${(maxMissedBeats * beatMs) / 1000} seconds; ending the process`;
    writeSync(1, `${JSON.stringify({ level: 60, time: Date.now(), stack, msg })}\n`);
    process.kill(process.pid, 'SIGKILL');
    throw new Error('unreachable');
  };
  // Code that runs native code only, such as a long SQL statement, cannot be paused.
  setTimeout(() => end(['the running code could not be paused']), stackMs);
  const session = new Session();
  session.connectToMainThread();
  session.on('Debugger.paused', ({ params }) => end(params.callFrames.slice(0, maxFrames).map(frameText)));
  session.post('Debugger.enable');
  session.post('Debugger.pause');
}

function frameText({ functionName, url, location }: Debugger.CallFrame): string {
  return `${functionName === '' ? '(anonymous)' : functionName} ${url}:${location.lineNumber + 1}`;
}
