// The response envelope, and the three formats of errors: v2, legacy, and RFC 9457 for clients that ask for it.
import type { ApiName } from '#contract/contract.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorKinds } from '#contract/errors.ts';
import type { ApiError } from '#lib/api-error.ts';
import { JsonText } from '#lib/json-text.ts';
import { mapInSlices } from '#lib/slices.ts';
import type { ApiResponse } from '#app/operations/call.ts';

/** Other requests run while a longer list is written, also one within the result. */
const longList = 1000;
const jsonType = 'application/json; charset=utf-8';
const problemType = 'application/problem+json; charset=utf-8';

export async function successResponse(resultsAs: Endpoint['resultsAs'], result: unknown): Promise<ApiResponse> {
  const results = resultsField(resultsAs, result);
  const body = hasLongList(result)
    ? `{"success":true,"results":${JSON.stringify(results)},"result":${await textInSlices(result)}}`
    : JSON.stringify({ success: true, results, result });
  return { status: 200, type: jsonType, body };
}

/** Looks at the value, its members and theirs. */
function hasLongList(value: unknown, depth = 2): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof JsonText || (Array.isArray(value) && value.length > longList)) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return depth > 0 && members.some((member) => hasLongList(member, depth - 1));
}

async function textInSlices(value: unknown): Promise<string> {
  if (value instanceof JsonText) return value.text;
  if (!hasLongList(value)) return JSON.stringify(value);
  if (Array.isArray(value) && value.length > longList)
    return `[${(await mapInSlices(value, (item) => JSON.stringify(item))).join()}]`;
  // Added up instead of joined, which does not copy long texts.
  let text = '';
  for (const [name, member] of Object.entries(value as object)) {
    if (member === undefined) continue;
    if (text !== '') text += ',';
    text += `${Array.isArray(value) ? '' : `${JSON.stringify(name)}:`}${await textInSlices(member)}`;
  }
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}

function resultsField(resultsAs: Endpoint['resultsAs'], result: unknown): number | string {
  if (resultsAs === 'zero-string') return '0';
  const count = countResults(result);
  return resultsAs === 'count-string' ? String(count) : count;
}

/** Some responses contain a whole envelope in `result`. */
export function innerEnvelope<T>(result: T): { success: true; results: number; result: T } {
  return { success: true, results: countResults(result), result };
}

/** Counts an array by its length, an object by its members, a text as 1, or 0 if empty. */
export function countResults(result: unknown): number {
  if (result instanceof JsonText) return result.count;
  if (Array.isArray(result)) return result.length;
  if (typeof result === 'object' && result !== null) return Object.keys(result).length;
  return result === '' || result === undefined || result === null ? 0 : 1;
}

export function errorResponse(api: ApiName, asProblem: boolean, error: ApiError): ApiResponse {
  const { code, status, message, fields } = error;
  if (asProblem) {
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
  const result = api !== 'legacy' ? { code, message, fields } : message;
  return { status, type: jsonType, body: JSON.stringify({ success: false, results: 0, result }) };
}

/** Every path that is neither v2 nor operator belongs to the legacy API. */
export function apiOfUrl(url: string): ApiName {
  return (/^\/(v2|operator)(?:[/?]|$)/.exec(url)?.[1] as ApiName | undefined) ?? 'legacy';
}

export function wantsProblem(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/problem+json');
}
