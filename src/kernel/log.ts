// Structured log lines. What could be a secret is removed by its name here, so that no caller of the log need remember to.
import { pino, type Logger } from 'pino';

export type Log = Logger;

const secretNames = /^(?:password|pass|secret|key|authorization|x-api-key|cookie|token|sealed|body)$/i;

/** Lines are gathered and written in the background: a slow disk or terminal must not slow down answers. */
const gatherBytes = 8192;
const flushMs = 250;

export function makeLog(level: string): Log {
  const destination = pino.destination({ dest: 1, sync: false, minLength: gatherBytes });
  setInterval(() => destination.flush(), flushMs).unref();
  process.on('exit', () => destination.flushSync());
  return pino(
    { level, base: null, timestamp: () => `,"time":${Date.now()}`, formatters: { log: withoutSecrets } },
    destination,
  );
}

function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    if (secretNames.test(name))
      return Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, secretNames.test(key) ? '[removed]' : value]),
      );
  }
  return fields;
}
