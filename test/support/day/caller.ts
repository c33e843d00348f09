// One tenant's client: it repeats a call without a response, or with a 503, under the same Idempotency-Key, and writes down
// what was acknowledged.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '#contract/errors.ts';
import { shapedCode } from '../load.ts';
import { request, type Envelope, type ErrorResult } from '../request.ts';
import { noteLeak, type Journal } from './journal.ts';

export interface Call {
  /** As in the audit log. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly params?: Record<string, unknown>;
  /** Errors after which nothing has happened, and the client goes on with something else. */
  readonly rejections?: readonly ErrorCode[];
}

/** `unknown` is an honest answer about equipment; `rejected` means that nothing happened. */
export type Outcome =
  | { readonly how: 'done'; readonly result: unknown }
  | { readonly how: 'unknown' | 'rejected'; readonly code: string };

export interface Caller {
  /** Number of responses by kind: `200`, an error code, or `nothing`. */
  readonly responses: ReadonlyMap<string, number>;
  settle(call: Call): Promise<Outcome>;
  /** Abandons calls that have no answer yet, because the test has failed. */
  giveUp(): void;
}

const againMs = 200;
const responseTimeoutMs = 70_000;
/** Errors about equipment after which the outcome is unknown. */
const unknownCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'bmc_unreachable',
  'bmc_error',
  'bmc_refused',
  'switch_unreachable',
  'switch_error',
  'node_unreachable',
  'node_error',
  'payment_unreachable',
  'device_busy',
  'idempotency_outcome_unknown',
]);

export function createCaller(journal: Journal, url: string): Caller {
  const { key } = journal.tenant;
  const responses = new Map<string, number>();
  const count = (what: string): void => void responses.set(what, (responses.get(what) ?? 0) + 1);
  let isGivenUp = false;

  /** Makes one attempt; returns undefined if no complete response arrived. */
  async function attempt({ method, path, params }: Call, idempotencyKey: string) {
    const headers = method === 'GET' ? {} : { 'idempotency-key': idempotencyKey };
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), responseTimeoutMs);
    try {
      const options = { key, headers, ...(params && { params }) };
      const response = await Promise.race([
        request<Envelope<ErrorResult>>({ url }, method, path, options),
        late.promise,
      ]);
      if (response !== undefined) noteLeak(journal, `${method} ${path}`, JSON.stringify(response.body));
      return response;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  function enter({ operation, method }: Call, how: 'done' | 'unknown'): void {
    if (method === 'GET') return;
    const calls = journal.calls.get(operation) ?? { done: 0, unknown: 0 };
    calls[how]++;
    journal.calls.set(operation, calls);
  }

  async function settle(call: Call): Promise<Outcome> {
    const idempotencyKey = `day-${randomBytes(8).toString('hex')}`;
    for (;;) {
      if (isGivenUp) throw new Error('the day was aborted');
      const response = await attempt(call, idempotencyKey);
      const code = response === undefined ? 'nothing' : response.status === 200 ? '200' : shapedCode(response);
      count(code);
      if (code === '200') {
        enter(call, 'done');
        return { how: 'done', result: response!.body.result };
      }
      if (call.rejections?.includes(code as ErrorCode) === true) return { how: 'rejected', code };
      if (unknownCodes.has(code)) {
        enter(call, 'unknown');
        return { how: 'unknown', code };
      }
      const isTemporary = response === undefined || code === 'overloaded' || code === 'idempotency_in_progress';
      assert.ok(
        isTemporary,
        `${call.method} ${call.path} ${JSON.stringify(call.params)}: ${JSON.stringify(response?.body)}`,
      );
      await sleep(againMs);
    }
  }

  return { responses, settle, giveUp: () => void (isGivenUp = true) };
}
