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
  role_missing: { status: 403, message: 'The role of this operator does not allow this.' },
  address_not_allowed: { status: 403, message: 'This key may not be used from this address.' },
  account_suspended: { status: 403, message: 'The account is suspended: services cannot be changed.' },
  service_suspended: { status: 403, message: 'The service is suspended: it cannot be changed.' },
  account_closed: { status: 403, message: 'The account is closed.' },
  not_found: { status: 404, message: 'There is nothing here that this account may see.' },
  method_not_allowed: { status: 405, message: 'This path does not answer to this method.' },
  already_exists: { status: 409, message: 'It exists already.' },
  state_conflict: { status: 409, message: 'The present state does not allow this.' },
  device_busy: { status: 409, message: 'Another command is running on this device.' },
  device_held: { status: 409, message: 'The provider holds this device back for now.' },
  cancelled: { status: 409, message: 'It was cancelled.' },
  network_boot_failed: { status: 409, message: 'The server could not be booted over the network.' },
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
  nothing_free: { status: 422, message: 'Nothing of this kind is free.' },
  computed_record: { status: 422, message: 'The name server computes records of this type itself.' },
  rate_limited: { status: 429, message: 'Too many requests for this key.' },
  internal_error: { status: 500, message: 'Something went wrong on our side. The request id names it in our log.' },
  bmc_error: { status: 502, message: 'The management controller of the device gave a wrong answer.' },
  bmc_refused: { status: 502, message: 'The management controller of the device refused the command.' },
  node_error: { status: 502, message: 'The node on which the machine runs gave a wrong answer.' },
  switch_error: { status: 502, message: 'The switch gave a wrong answer.' },
  router_error: { status: 502, message: 'The router gave a wrong answer.' },
  nameserver_error: { status: 502, message: 'The name server gave a wrong answer.' },
  overloaded: { status: 503, message: 'The service is overloaded or stopping; try again shortly.' },
  bmc_unreachable: { status: 504, message: 'The management controller of the device did not answer.' },
  node_unreachable: { status: 504, message: 'The node on which the machine runs did not answer.' },
  switch_unreachable: { status: 504, message: 'The switch did not answer.' },
  router_unreachable: { status: 504, message: 'The router did not answer.' },
  nameserver_unreachable: { status: 504, message: 'The name server did not answer.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** What can go wrong with each kind of equipment, for the declarations that act on it. */
export const equipmentErrors = {
  bmc: ['device_busy', 'bmc_error', 'bmc_refused', 'bmc_unreachable'],
  node: ['device_busy', 'node_error', 'node_unreachable'],
  switch: ['switch_error', 'switch_unreachable'],
  router: ['router_error', 'router_unreachable'],
  nameserver: ['nameserver_error', 'nameserver_unreachable'],
} as const satisfies Record<string, readonly ErrorCode[]>;
