// Writes the log line of each request directly to pino's destination, at a quarter of the cost of a call to pino. Benchmark:
// bench/api.ts; see docs/decisions/performance.md. `symbols.streamSym` is pino's only access to the destination.
import { symbols, type DestinationStream, type Logger } from 'pino';

export interface RequestLine {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly operation: string;
  readonly status: number;
  readonly ms: number;
  readonly keyId: string | undefined;
  readonly address: string;
}

/**
 * Returns a function that logs a request. No field is a secret, and all are our own text that needs no escaping,
 * except the address, which a proxy may have made up.
 */
export function requestLines(log: Logger): (line: RequestLine) => void {
  const destination = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym]!;
  const level = log.levels.values['info'];
  return ({ requestId, method, route, operation, status, ms, keyId, address }) => {
    if (!log.isLevelEnabled('info')) return;
    const request = `"requestId":"${requestId}","method":"${method}"${route === undefined ? '' : `,"route":"${route}"`}`;
    const outcome = `"operation":"${operation}","status":${status},"ms":${ms}`;
    const caller = `${keyId === undefined ? '' : `"keyId":"${keyId}",`}"address":${JSON.stringify(address)}`;
    destination.write(`{"level":${level},"time":${Date.now()},${request},${outcome},${caller},"msg":"request"}\n`);
  };
}
