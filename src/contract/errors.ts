// All error codes of the API, each with its status and its default message. The list is closed: `ApiError` accepts only
// these. The OpenAPI documents are generated from it, and a test compares docs/reference/errors.md with it.
interface ErrorKind {
  readonly status: number;
  readonly message: string;
}

export const errorKinds = {
  malformed_request: { status: 400, message: 'The request could not be parsed. Check its syntax.' },
  invalid_parameter: { status: 400, message: 'A parameter is missing or invalid.' },
  unauthenticated: { status: 401, message: 'A valid API key is required.' },
  scope_missing: {
    status: 403,
    message: 'This key lacks the scope that the operation needs. Use a key with that scope.',
  },
  permission_missing: {
    status: 403,
    message: 'You lack the permission that the operation needs. Ask an owner of the account.',
  },
  role_missing: { status: 403, message: 'Your role does not allow this. Ask an owner.' },
  sign_on_failed: { status: 403, message: 'Signing in through the identity provider failed. Start again.' },
  sign_on_required: {
    status: 403,
    message: 'You can sign in only through your identity provider. Choose single sign-on.',
  },
  address_not_allowed: {
    status: 403,
    message: "This key may not be used from this address. Add the address to the key's allowed networks.",
  },
  account_suspended: {
    status: 403,
    message: 'The account is suspended, so services cannot be changed. Pay open invoices or contact support.',
  },
  service_suspended: { status: 403, message: 'The service is suspended, so it cannot be changed. Contact support.' },
  account_closed: { status: 403, message: 'The account is closed.' },
  not_found: { status: 404, message: 'Not found. Check the id; the resource may belong to another account.' },
  service_terminated: { status: 404, message: 'The service is terminated.' },
  method_not_allowed: { status: 405, message: 'This path does not support this method.' },
  already_exists: { status: 409, message: 'It already exists.' },
  state_conflict: { status: 409, message: 'The current state does not allow this.' },
  name_reserved: { status: 409, message: 'Customers cannot create zones with this name.' },
  claim_unproven: { status: 409, message: 'The TXT record that proves control of the domain was not found.' },
  device_busy: { status: 409, message: 'The device is busy with another command. Try again when it has finished.' },
  device_held: { status: 409, message: 'The provider has restricted this device for now. Contact support.' },
  cancelled: { status: 409, message: 'The operation was cancelled.' },
  network_boot_failed: { status: 409, message: 'The server could not be booted from the network.' },
  reclaim_failed: { status: 409, message: 'The server could not be erased or verified.' },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running. Try again when it has finished.',
  },
  idempotency_outcome_unknown: {
    status: 409,
    message:
      'A request with this Idempotency-Key was interrupted. Check the current state before you try again with a new key.',
  },
  body_too_large: { status: 413, message: 'The request body is larger than 1 MB.' },
  unsupported_media_type: {
    status: 415,
    message: 'Unsupported content type. Send application/json or application/x-www-form-urlencoded.',
  },
  idempotency_mismatch: {
    status: 422,
    message: 'This Idempotency-Key was used with different parameters. Use a new key.',
  },
  not_in_catalogue: { status: 422, message: 'The catalogue does not have this entry.' },
  capability_missing: { status: 422, message: 'The device does not support this.' },
  nothing_free: { status: 422, message: 'Nothing of this kind is available at the moment.' },
  computed_record: { status: 422, message: 'The name server generates records of this type.' },
  record_refused: { status: 422, message: 'The name server rejects this record.' },
  rate_limited: { status: 429, message: 'Too many requests for this key. Slow down and try again.' },
  internal_error: { status: 500, message: 'Something went wrong on our side. Report the request id to support.' },
  bmc_error: { status: 502, message: "The device's IPMI returned an invalid response. Try again later." },
  bmc_refused: { status: 502, message: "The device's IPMI rejected the command." },
  node_error: { status: 502, message: "The machine's hypervisor returned an invalid response. Try again later." },
  switch_error: { status: 502, message: 'The switch returned an invalid response. Try again later.' },
  router_error: { status: 502, message: 'The router returned an invalid response. Try again later.' },
  nameserver_error: { status: 502, message: 'The name server returned an invalid response. Try again later.' },
  backup_error: { status: 502, message: 'The backup storage returned an invalid response. Try again later.' },
  overloaded: { status: 503, message: 'The service is overloaded or stopping. Try again shortly.' },
  bmc_unreachable: { status: 504, message: "The device's IPMI did not respond. Try again later." },
  node_unreachable: { status: 504, message: "The machine's hypervisor did not respond. Try again later." },
  switch_unreachable: { status: 504, message: 'The switch did not respond. Try again later.' },
  router_unreachable: { status: 504, message: 'The router did not respond. Try again later.' },
  nameserver_unreachable: { status: 504, message: 'The name server did not respond. Try again later.' },
  backup_unreachable: { status: 504, message: 'The backup storage did not respond. Try again later.' },
  payment_unreachable: { status: 504, message: 'The payment provider did not respond. Try again later.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** Errors of each kind of equipment, for the endpoints that act on it. */
export const equipmentErrors = {
  bmc: ['device_busy', 'bmc_error', 'bmc_refused', 'bmc_unreachable'],
  node: ['device_busy', 'node_error', 'node_unreachable'],
  switch: ['switch_error', 'switch_unreachable'],
  router: ['router_error', 'router_unreachable'],
  nameserver: ['record_refused', 'nameserver_error', 'nameserver_unreachable'],
} as const satisfies Record<string, readonly ErrorCode[]>;
