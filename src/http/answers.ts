// The envelope, and the three shapes in which a refusal is told: v2, legacy, and RFC 9457 for who asks for it.
import type { FaceName } from '#contract/contract.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import type { Fault } from '#kernel/fault.ts';
import type { Answer } from '#app/operation/call.ts';

export const jsonType = 'application/json; charset=utf-8';
const problemType = 'application/problem+json; charset=utf-8';

export function successAnswer(resultsAs: Endpoint['resultsAs'], result: unknown): Answer {
  const body = wordsOf(resultsAs, result);
  const bytes = body.length < largeAnswer || !isObject(result) ? undefined : bytesOf(result, body);
  return { status: 200, type: jsonType, body, ...(bytes === undefined ? {} : { bytes }) };
}

/** From here on encoding costs more than a head and a body in one piece save. */
const largeAnswer = 65_536;
const frozenBytes = new WeakMap<object, Buffer>();

function bytesOf(result: object, words: string): Buffer | undefined {
  if (!Object.isFrozen(result)) return undefined;
  let bytes = frozenBytes.get(result);
  if (bytes === undefined) frozenBytes.set(result, (bytes = Buffer.from(words)));
  return bytes;
}

/** A result that is frozen stays as it is: it is put into words once. */
const frozenWords = new WeakMap<object, string>();

function wordsOf(resultsAs: Endpoint['resultsAs'], result: unknown): string {
  const known = isObject(result) ? frozenWords.get(result) : undefined;
  if (known !== undefined) return known;
  const words = JSON.stringify({ success: true, results: resultsOf(resultsAs, result), result });
  if (isObject(result) && Object.isFrozen(result)) frozenWords.set(result, words);
  return words;
}

function isObject(result: unknown): result is object {
  return typeof result === 'object' && result !== null;
}

function resultsOf(resultsAs: Endpoint['resultsAs'], result: unknown): number | string {
  if (resultsAs === 'zero-string') return '0';
  const count = countOf(result);
  return resultsAs === 'count-string' ? String(count) : count;
}

/** Some answers carry a whole envelope inside `result`. */
export function innerEnvelope<T>(result: T): { success: true; results: number; result: T } {
  return { success: true, results: countOf(result), result };
}

/** Array: its length; object: its members; text: 1, or 0 when empty. */
export function countOf(result: unknown): number {
  if (Array.isArray(result)) return result.length;
  if (typeof result === 'object' && result !== null) return Object.keys(result).length;
  return result === '' || result === undefined || result === null ? 0 : 1;
}

export function faultAnswer(face: FaceName, wantsProblem: boolean, fault: Fault): Answer {
  const { code, status, message, fields } = fault;
  if (wantsProblem) {
    const problem = {
      type: `urn:hostyard:error:${code}`,
      title: errorKinds[code].message,
      status,
      detail: message,
      code,
      fields,
    };
    return { status, type: problemType, body: JSON.stringify(problem) };
  }
  const result = face !== 'legacy' ? { code, message, fields } : message;
  return { status, type: jsonType, body: JSON.stringify({ success: false, results: 0, result }) };
}

/** Legacy owns every path that is neither v2's nor the operator's. */
export function faceOf(url: string): FaceName {
  return (/^\/(v2|operator)(?:[/?]|$)/.exec(url)?.[1] as FaceName | undefined) ?? 'legacy';
}

export function wantsProblem(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/problem+json');
}
