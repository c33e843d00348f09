// A detector that reports to Hostyard: signs as standardwebhooks.com describes, with the library of that standard.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { NetworkCalls } from './network.ts';

export interface Reported {
  readonly status: number;
  readonly body: { success: boolean; results: number; result: string };
}

export interface ReportOptions {
  readonly name?: string;
  readonly secret: string;
  /** When it was signed, in milliseconds; now unless told. */
  readonly signedAt?: number;
}

export async function report(
  { url }: { readonly url: string },
  body: object | string,
  { name = 'lab', secret, signedAt = Date.now() }: ReportOptions,
): Promise<Reported> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const id = randomUUID();
  const answer = await fetch(`${url}/hooks/detector/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(signedAt / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(signedAt), text),
    },
    body: text,
  });
  return { status: answer.status, body: (await answer.json()) as Reported['body'] };
}

export interface ShownEvent {
  readonly id: string;
  readonly anomaly_id: string;
  readonly target_ip: string;
  readonly internal_client: string;
  readonly internal_service: string;
  readonly internal_device: string;
  readonly internal_network: string;
  readonly active: string;
  readonly start: string;
  readonly end: string;
  readonly nullroute_start: string | null;
  readonly nullroute_end: string | null;
  readonly nullroute_active: string;
  readonly detail: { readonly success: boolean; readonly results: number; readonly result: Record<string, string>[] };
  readonly logs: { readonly success: boolean; readonly results: number; readonly result: Record<string, string>[] };
}

/** The events of a service, the newest first. */
export async function eventsOf(calls: NetworkCalls, service: number, params = {}): Promise<ShownEvent[]> {
  const { status, body } = await calls.v2('GET', `/v2/network/events/${service}`, params);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return Object.values(body.result as unknown as Record<string, ShownEvent>).reverse();
}
