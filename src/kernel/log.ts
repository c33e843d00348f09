// Structured log lines. What could be a secret is removed by name here, so that no caller of the log need remember to.
import { pino, type Logger } from 'pino';

export type Log = Logger;

const secretNames = ['password', 'pass', 'secret', 'key', 'authorization', 'x-api-key', 'cookie', 'token', 'sealed'];

export function makeLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '[removed]' },
    },
    pino.destination({ dest: 1, sync: false, minLength: 0 }),
  );
}
