// Reads and checks requests to the fake of Stripe: form bodies with brackets, and the parameters that its documentation
// names for each request.

export class StripeRefusal extends Error {
  readonly status: number;
  readonly error: object;
  constructor(status: number, error: { type: string; message: string } & Record<string, unknown>) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export function readForm(text: string): Map<string, string> {
  return new Map(new URLSearchParams(text));
}

/** The parameters of each request that the driver uses, with `[]` for an index and `*` for any name. */
const requests: readonly { readonly method: string; readonly path: RegExp; readonly params: readonly string[] }[] = [
  { method: 'POST', path: /^\/v1\/customers$/, params: ['email', 'name', 'description', 'metadata[*]'] },
  {
    method: 'POST',
    path: /^\/v1\/checkout\/sessions$/,
    params: [
      'mode',
      'customer',
      'customer_email',
      'success_url',
      'cancel_url',
      'expires_at',
      'currency',
      'locale',
      'client_reference_id',
      'metadata[*]',
      'allowed_payment_method_types[]',
      'line_items[][quantity]',
      'line_items[][price]',
      'line_items[][price_data][currency]',
      'line_items[][price_data][unit_amount]',
      'line_items[][price_data][product_data][name]',
      'payment_intent_data[description]',
      'payment_intent_data[metadata][*]',
      'payment_intent_data[setup_future_usage]',
      'setup_intent_data[description]',
      'setup_intent_data[metadata][*]',
    ],
  },
  { method: 'GET', path: /^\/v1\/checkout\/sessions\/cs_\w+$/, params: ['expand[]'] },
  { method: 'GET', path: /^\/v1\/checkout\/sessions$/, params: ['limit'] },
  {
    method: 'POST',
    path: /^\/v1\/payment_intents$/,
    params: [
      'amount',
      'currency',
      'customer',
      'payment_method',
      'allowed_payment_method_types[]',
      'off_session',
      'confirm',
      'description',
      'metadata[*]',
    ],
  },
  {
    method: 'GET',
    path: /^\/v1\/payment_intents$/,
    params: ['customer', 'created[gte]', 'created[gt]', 'created[lte]', 'created[lt]', 'limit', 'starting_after'],
  },
  { method: 'POST', path: /^\/v1\/refunds$/, params: ['payment_intent', 'charge', 'amount', 'reason', 'metadata[*]'] },
  { method: 'GET', path: /^\/v1\/refunds$/, params: ['payment_intent', 'charge', 'limit', 'starting_after'] },
  { method: 'POST', path: /^\/v1\/payment_methods\/pm_\w+\/detach$/, params: [] },
];

export interface FormRequest {
  readonly method: string;
  readonly path: string;
  readonly params: ReadonlyMap<string, string>;
}

/** Throws if the request, or one of its parameters, does not exist. */
export function requireKnown({ method, path, params }: FormRequest): void {
  const known = requests.find((candidate) => candidate.method === method && candidate.path.test(path));
  if (known === undefined)
    throw new StripeRefusal(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${path})` });
  const patterns = new Set(known.params);
  for (const name of params.keys()) {
    const plain = name.replaceAll(/\[\d+\]/g, '[]');
    if (patterns.has(plain) || patterns.has(plain.replace(/\[\w+\]$/, '[*]'))) continue;
    const message = `Received unknown parameter: ${name}`;
    throw new StripeRefusal(400, { type: 'invalid_request_error', code: 'parameter_unknown', message, param: name });
  }
}
