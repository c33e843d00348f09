// Keeps a worker thread running: one that ends, or whose event loop hangs, is replaced. The thread itself uses
// `reportReady`.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Log } from './log.ts';

export interface ThreadSettings<Data, Ready, Message> {
  readonly file: URL;
  /** For the log. */
  readonly name: string;
  /** The thread's start data; for a replacement, `ready` is what the first one reported. */
  readonly data: (ready: Ready | undefined) => Data;
  readonly onMessage: (message: Message) => void;
  /** Answers a question of the thread (`askMain`). */
  readonly onQuestion?: (question: unknown) => Promise<unknown>;
  readonly log: Log;
}

export interface Thread<Ready> extends AsyncDisposable {
  /** The thread's report when it was first ready. */
  readonly ready: Ready;
  readonly isRunning: boolean;
  readonly restarts: number;
  /** Lost if the thread ends before it reads it. */
  post(message: unknown): void;
}

/** How often the thread's event loop reports, and is looked at. */
const beatMs = 1000;
const maxMissedBeats = 10;
const restartDelayMs = 250;
const maxStopMs = 2000;
/** Enough to transfer a large zone. A thread that needs more is replaced, and the process continues. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 512 };

interface StartData<Data> {
  readonly data: Data;
  readonly beats: Int32Array;
}
type FromThread<Ready, Message> =
  | { readonly ready: Ready }
  | { readonly message: Message }
  | { readonly id: number; readonly question: unknown };
/** Without `answer`, the main thread failed to give one. */
interface AnswerFromMain {
  readonly id: number;
  readonly answer?: unknown;
}

/** Resolves once the thread is ready; rejects with its error if it ends before. */
export async function startThread<Data, Ready, Message>(
  settings: ThreadSettings<Data, Ready, Message>,
): Promise<Thread<Ready>> {
  const { name, log } = settings;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const stopping = new AbortController();
  let isRunning = false;
  let restarts = 0;
  let current = launch(undefined);
  const ready = await current.ready;
  void replaceWhenEnded();
  const watch = watchBeats();

  return {
    ready,
    get isRunning() {
      return isRunning;
    },
    get restarts() {
      return restarts;
    },
    post: (message) => current.worker.postMessage({ message }),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearInterval(watch);
      current.worker.postMessage('stop');
      await Promise.race([current.ended, sleep(maxStopMs, undefined, { ref: false })]);
      await current.worker.terminate();
    },
  };

  function launch(firstReady: Ready | undefined): { worker: Worker; ready: Promise<Ready>; ended: Promise<unknown> } {
    const start: StartData<Data> = { data: settings.data(firstReady), beats };
    const worker = new Worker(settings.file, { workerData: start, execArgv: [], resourceLimits });
    const nowReady = Promise.withResolvers<Ready>();
    const ended = Promise.withResolvers<unknown>();
    let failure: unknown = new Error(`${name} ended`);
    worker.on('message', (sent: FromThread<Ready, Message>) => {
      if ('message' in sent) return settings.onMessage(sent.message);
      if ('question' in sent) return void answerThread(worker, sent.id, sent.question);
      isRunning = true;
      nowReady.resolve(sent.ready);
    });
    worker.on('error', (error) => void (failure = error));
    worker.on('exit', () => {
      isRunning = false;
      nowReady.reject(failure);
      ended.resolve(failure);
    });
    // Whoever waits for the first thread gets its error; those of its replacements are logged.
    nowReady.promise.catch(() => {});
    return { worker, ready: nowReady.promise, ended: ended.promise };
  }

  async function answerThread(worker: Worker, id: number, question: unknown): Promise<void> {
    let reply: AnswerFromMain = { id };
    try {
      reply = { id, answer: await settings.onQuestion!(question) };
    } catch (error) {
      log.error({ err: error }, `cannot answer ${name}`);
    }
    worker.postMessage(reply);
  }

  async function replaceWhenEnded(): Promise<void> {
    for (;;) {
      const failure = await current.ended;
      if (stopping.signal.aborted) return;
      log.error({ err: failure }, `${name} ended and is being restarted`);
      await sleep(restartDelayMs, undefined, { ref: false });
      if (stopping.signal.aborted) return;
      restarts++;
      current = launch(ready);
    }
  }

  function watchBeats(): NodeJS.Timeout {
    let lastBeat = -1;
    let missed = 0;
    return setInterval(() => {
      const beat = Atomics.load(beats, 0);
      missed = isRunning && beat === lastBeat ? missed + 1 : 0;
      lastBeat = beat;
      if (missed < maxMissedBeats) return;
      log.error(`the event loop of ${name} has not turned for ${(maxMissedBeats * beatMs) / 1000} seconds`);
      missed = 0;
      void current.worker.terminate();
    }, beatMs).unref();
  }
}

/** In the thread: returns what it was started with. */
export function readThreadData<Data>(): Data {
  return (workerData as StartData<Data>).data;
}

/** In the thread: sends a message to the main thread. */
export function postToMain(message: unknown): void {
  parentPort!.postMessage({ message });
}

const maxAnswerMs = 20_000;
let questions = 0;
const pendingAnswers = new Map<number, PromiseWithResolvers<unknown>>();

/** In the thread: asks the main thread. Rejects if it fails, or does not answer in time. */
export async function askMain<Answer>(question: unknown): Promise<Answer> {
  const id = ++questions;
  const pending = Promise.withResolvers<unknown>();
  pendingAnswers.set(id, pending);
  const timer = setTimeout(() => pending.reject(new Error('the main thread did not answer')), maxAnswerMs);
  parentPort!.postMessage({ id, question });
  try {
    return (await pending.promise) as Answer;
  } finally {
    clearTimeout(timer);
    pendingAnswers.delete(id);
  }
}

function settleAnswer(reply: AnswerFromMain): void {
  const pending = pendingAnswers.get(reply.id);
  if ('answer' in reply) pending?.resolve(reply.answer);
  else pending?.reject(new Error('the main thread failed to answer'));
}

/** In the thread: reports that it is ready, and runs until it is asked to stop. */
export async function reportReady(
  ready: unknown,
  { onMessage, onStop }: { onMessage(message: unknown): void; onStop(): Promise<void> },
): Promise<void> {
  const { beats } = workerData as StartData<unknown>;
  const beating = setInterval(() => Atomics.add(beats, 0, 1), beatMs);
  const stopped = Promise.withResolvers<void>();
  parentPort!.on('message', (sent: 'stop' | { message: unknown } | AnswerFromMain) => {
    if (sent === 'stop') stopped.resolve();
    else if ('message' in sent) onMessage(sent.message);
    else settleAnswer(sent);
  });
  parentPort!.postMessage({ ready });
  await stopped.promise;
  await onStop();
  clearInterval(beating);
  parentPort!.close();
}
