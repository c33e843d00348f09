// Every error code that a caller can meet, with its status number and the sentence said when nothing more exact is known.
// A closed list: `Fault` takes only these, docs/errors.md and the OpenAPI documents are made from it.
interface ErrorKind {
  readonly status: number;
  readonly message: string;
}

export const errorKinds = {
  malformed_request: { status: 400, message: 'The request could not be read.' },
  invalid_parameter: { status: 400, message: 'A parameter is missing or not valid.' },
  unauthenticated: { status: 401, message: 'A valid API key is required.' },
  scope_missing: { status: 403, message: 'This key does not have the scope that the operation needs.' },
  permission_missing: { status: 403, message: 'This person does not have the permission that the operation needs.' },
  address_not_allowed: { status: 403, message: 'This key may not be used from this address.' },
  account_suspended: { status: 403, message: 'The account is suspended: services cannot be changed.' },
  account_closed: { status: 403, message: 'The account is closed.' },
  not_found: { status: 404, message: 'There is nothing here that this account may see.' },
  method_not_allowed: { status: 405, message: 'This path does not answer to this method.' },
  already_exists: { status: 409, message: 'It exists already.' },
  state_conflict: { status: 409, message: 'The present state does not allow this.' },
  device_busy: { status: 409, message: 'Another command is running on this device.' },
  idempotency_in_progress: { status: 409, message: 'A request with this Idempotency-Key is still running.' },
  idempotency_outcome_unknown: {
    status: 409,
    message:
      'A request with this Idempotency-Key was interrupted; look at the state before trying again with a new key.',
  },
  body_too_large: { status: 413, message: 'The request body is larger than 1 MB.' },
  unsupported_media_type: { status: 415, message: 'Send application/json or application/x-www-form-urlencoded.' },
  idempotency_mismatch: { status: 422, message: 'This Idempotency-Key was used with other parameters.' },
  not_in_catalogue: { status: 422, message: 'The catalogue does not have this.' },
  capability_missing: { status: 422, message: 'The device cannot do this.' },
  rate_limited: { status: 429, message: 'Too many requests for this key.' },
  internal_error: { status: 500, message: 'Something went wrong on our side. The request id names it in our log.' },
  not_built_yet: { status: 501, message: 'This operation is not built yet.' },
  overloaded: { status: 503, message: 'The service is overloaded or stopping; try again shortly.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;
