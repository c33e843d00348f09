// From an answer to its result, or to the error that it tells. Failures are asked for as RFC 9457, which carries a code on both
// interfaces; an answer kept for an Idempotency-Key may still come in the envelope of whoever asked first.
import { HostyardError, type ErrorDetails } from './error.ts';
import type { FileAnswer, Route } from './settings.ts';

export const accepted = 'application/json, application/problem+json';

export async function resultOf(response: Response, route: Route): Promise<unknown> {
  if (response.ok && route.file === true) return fileOf(response);
  const body = await bodyOf(response);
  if (response.ok && isRecord(body) && body['success'] === true) return body['result'];
  throw failureOf(response, body);
}

/** The error that a refusal tells, for an answer whose body is no result. */
export async function refusalOf(response: Response): Promise<HostyardError> {
  return failureOf(response, await bodyOf(response));
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(response: Response, body: unknown): HostyardError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const requestId = response.headers.get('x-request-id');
  return new HostyardError({
    status: response.status,
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    ...(toldBy(body) ?? {
      code: 'unexpected_answer',
      message: `The answer with status ${response.status} is not one of Hostyard's.`,
    }),
  });
}

function toldBy(body: unknown): Pick<ErrorDetails, 'code' | 'message' | 'errors'> | undefined {
  if (!isRecord(body)) return undefined;
  const told = isRecord(body['result']) ? body['result'] : body;
  const code = told['code'];
  const message = told['detail'] ?? told['message'] ?? told['title'] ?? body['result'];
  if (typeof message !== 'string') return undefined;
  const fields = told['fields'];
  return {
    // The legacy envelope has words only.
    code: (typeof code === 'string' ? code : 'unexpected_answer') as ErrorDetails['code'],
    message,
    ...(isRecord(fields) ? { errors: fields as Record<string, string> } : {}),
  };
}

async function fileOf(response: Response): Promise<FileAnswer> {
  const disposition = response.headers.get('content-disposition') ?? '';
  return {
    name: /filename="([^"]*)"/.exec(disposition)?.[1] ?? '',
    type: response.headers.get('content-type') ?? '',
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
