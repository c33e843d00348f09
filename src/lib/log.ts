// Structured logs. Fields whose names suggest a secret are removed here, so that no caller has to remember to.
import { pino, type DestinationStream, type Logger } from 'pino';
import { isJournal, withPriority } from './journal.ts';

export type Log = Logger;

const secretNames = /^(?:password|pass|secret|key|authorization|x-api-key|cookie|token|sealed|body)$/i;

/** pino and the request log begin each line with this and a level of two digits. */
const lineStart = '{"level":';
const bufferCharacters = 32_768;
const flushMs = 250;

export function createLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: () => `,"time":${Date.now()}`, formatters: { log: removeSecrets } },
    bufferedDestination(),
  );
}

/**
 * Buffers lines and writes them in the background, so that a slow disk or terminal does not slow down responses.
 * pino's own destination could buffer too, but recounts the bytes of the whole buffer with every line.
 */
function bufferedDestination(): DestinationStream & { flush(): void } {
  const destination = pino.destination({ dest: 1, sync: false });
  const hasPriorities = isJournal(1);
  let buffer = '';
  const flush = (): void => {
    if (buffer !== '') destination.write(buffer);
    buffer = '';
  };
  setInterval(flush, flushMs).unref();
  process.on('exit', () => {
    destination.flushSync();
    // A write in the background would not be finished.
    if (buffer !== '') pino.destination({ dest: 1, sync: true }).write(buffer);
  });
  return {
    write(line) {
      buffer += hasPriorities ? withPriority(Number(line.slice(lineStart.length, lineStart.length + 2)), line) : line;
      if (buffer.length >= bufferCharacters) flush();
    },
    flush,
  };
}

function removeSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    if (secretNames.test(name))
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, secretNames.test(key) ? '[removed]' : value]),
      );
  }
  return fields;
}
