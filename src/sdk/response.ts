// Reads the result or the error out of a response. The client asks for errors as RFC 9457, which has a code in both APIs, but
// a response saved for an Idempotency-Key comes in the format of the first request.
import { HostyardError, type ErrorDetails } from './error.ts';
import type { FileResponse, Route } from './settings.ts';

export const acceptedTypes = 'application/json, application/problem+json';

export async function readResult(response: Response, route: Route): Promise<unknown> {
  if (response.ok && route.file === true) return readFile(response);
  const body = await readJson(response);
  if (response.ok && isRecord(body) && body['success'] === true) return body['result'];
  throw errorFrom(response, body);
}

/** Reads the error of a response that is not a result. */
export async function readError(response: Response): Promise<HostyardError> {
  return errorFrom(response, await readJson(response));
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function errorFrom(response: Response, body: unknown): HostyardError {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const requestId = response.headers.get('x-request-id');
  return new HostyardError({
    status: response.status,
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
    ...(parseErrorBody(body) ?? {
      code: 'unexpected_answer',
      message: `Unexpected response with status ${response.status}: it is not from Hostyard.`,
    }),
  });
}

function parseErrorBody(body: unknown): Pick<ErrorDetails, 'code' | 'message' | 'errors'> | undefined {
  if (!isRecord(body)) return undefined;
  const problem = isRecord(body['result']) ? body['result'] : body;
  const code = problem['code'];
  const message = problem['detail'] ?? problem['message'] ?? problem['title'] ?? body['result'];
  if (typeof message !== 'string') return undefined;
  const fields = problem['fields'];
  return {
    // The legacy envelope has only a message.
    code: (typeof code === 'string' ? code : 'unexpected_answer') as ErrorDetails['code'],
    message,
    ...(isRecord(fields) ? { errors: fields as Record<string, string> } : {}),
  };
}

async function readFile(response: Response): Promise<FileResponse> {
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
