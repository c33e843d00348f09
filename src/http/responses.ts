// The response envelope, and the formats of errors: v2, legacy, those that DNS tools expect, and RFC 9457 for clients
// that ask for it.
import type { ServedApi } from '#contract/contract.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorKinds, type ErrorCode } from '#contract/errors.ts';
import type { ApiError } from '#lib/api-error.ts';
import { JsonText } from '#lib/json-text.ts';
import { mapInSlices, pauseWork } from '#lib/slices.ts';
import { charactersPerPiece, encodeInPieces, textPieces } from '#lib/text-pieces.ts';
import type { ApiResponse } from '#app/operations/call.ts';

/** Other requests run while a longer list or text is written, also one within the result. */
const longList = 1000;
const jsonType = 'application/json; charset=utf-8';
const textType = 'text/plain; charset=utf-8';
const problemType = 'application/problem+json; charset=utf-8';

export async function successResponse(
  { resultsAs, bareStatus }: Pick<Endpoint, 'resultsAs' | 'bareStatus'>,
  result: unknown,
): Promise<ApiResponse> {
  if (bareStatus === 204) return { status: 204, type: jsonType, body: '' };
  if (bareStatus !== undefined)
    return isLong(result)
      ? longResponse(bareStatus, await textSlices(result))
      : { status: bareStatus, type: jsonType, body: JSON.stringify(result) };
  const results = resultsField(resultsAs, result);
  if (!isLong(result)) return { status: 200, type: jsonType, body: JSON.stringify({ success: true, results, result }) };
  const start = `{"success":true,"results":${JSON.stringify(results)},"result":`;
  const slices = [start, ...(await textSlices(result)), '}'];
  if (!(result instanceof JsonText)) return longResponse(200, slices);
  const encode = async () => [Buffer.from(start), ...(await result.encode()), Buffer.from('}')];
  return longResponse(200, slices, encode);
}

function longResponse(
  status: number,
  slices: readonly string[],
  encode = (): Promise<readonly Buffer[]> => encodeInPieces(slices),
): ApiResponse {
  return {
    status,
    type: jsonType,
    get body() {
      return slices.join('');
    },
    long: { length: slices.reduce((sum, { length }) => sum + length, 0), encode },
  };
}

/** Looks at the value, its members and theirs. */
function isLong(value: unknown, depth = 2): boolean {
  if (typeof value === 'string') return value.length > charactersPerPiece;
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof JsonText || (Array.isArray(value) && value.length > longList)) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return depth > 0 && members.some((member) => isLong(member, depth - 1));
}

/** Returns the value as JSON, not joined. */
async function textSlices(value: unknown): Promise<readonly string[]> {
  if (value instanceof JsonText) return value.slices;
  if (!isLong(value)) return [JSON.stringify(value)];
  const slices: string[] = [];
  if (typeof value === 'string') {
    for (const piece of textPieces(value)) {
      slices.push(JSON.stringify(piece).slice(1, -1));
      await pauseWork('outside a transaction');
    }
    return ['"', ...slices, '"'];
  }
  const isArray = Array.isArray(value);
  if (isArray && value.length > longList)
    return [`[${(await mapInSlices(value, (item) => JSON.stringify(item))).join()}]`];
  for (const [name, member] of Object.entries(value as object)) {
    if (member === undefined) continue;
    if (slices.length > 0) slices.push(',');
    if (!isArray) slices.push(`${JSON.stringify(name)}:`);
    slices.push(...(await textSlices(member)));
  }
  return isArray ? ['[', ...slices, ']'] : ['{', ...slices, '}'];
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

export type ErrorFormat = Exclude<ServedApi, 'automation'> | 'problem' | 'automation-read' | 'automation-change';

export function errorFormatOf(api: ServedApi, { headers, method }: ErrorRequest): ErrorFormat {
  if (/application\/problem\+json/i.test(headers.accept ?? '')) return 'problem';
  if (api !== 'automation') return api;
  return method === 'GET' || method === 'HEAD' ? 'automation-read' : 'automation-change';
}

interface ErrorRequest {
  readonly headers: { readonly accept?: string | undefined };
  readonly method: string;
}

export function errorResponse(format: ErrorFormat, error: ApiError): ApiResponse {
  const { code, status, message, fields } = error;
  if (format === 'automation-read' || format === 'automation-change') {
    // PowerDNS has JSON for what it refuses to write, and lego shows only that. Any other error is text: Terraform
    // takes a JSON object for a zone without records.
    const isRefusal = format === 'automation-change' && (refusalStatuses.has(status) || refusalCodes.has(code));
    return isRefusal && code !== 'malformed_request'
      ? { status: 422, type: jsonType, body: JSON.stringify({ error: message }) }
      : { status, type: textType, body: message };
  }
  if (format === 'problem') {
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
  const result = format !== 'legacy' ? { code, message, fields } : message;
  return { status, type: jsonType, body: JSON.stringify({ success: false, results: 0, result }) };
}

const refusalStatuses = new Set([400, 403, 422]);
const refusalCodes = new Set<ErrorCode>(['state_conflict', 'name_reserved']);

const apisByPrefix: Readonly<Record<string, ServedApi>> = {
  v2: 'v2',
  operator: 'operator',
  api: 'automation',
  acme: 'automation',
};
/** Every path with another prefix belongs to the legacy API. */
export function apiOfUrl(url: string): ServedApi {
  return apisByPrefix[/^\/(\w+)(?:[/?]|$)/.exec(url)?.[1] ?? ''] ?? 'legacy';
}
