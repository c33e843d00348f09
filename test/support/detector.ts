// A detector that reports to Hostyard, signed with the reference library of standardwebhooks.com.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { AnomalyEvent } from '#sdk/v2.ts';
import type { NetworkCalls } from './network.ts';

export interface AttackReport {
  readonly status: number;
  readonly body: { success: boolean; results: number; result: string };
}

export interface ReportOptions {
  readonly name?: string;
  readonly secret: string;
  /** Time of signing in milliseconds; now if omitted. */
  readonly signedAt?: number;
}

export async function report(
  { url }: { readonly url: string },
  body: object | string,
  { name = 'lab', secret, signedAt = Date.now() }: ReportOptions,
): Promise<AttackReport> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const id = randomUUID();
  const response = await fetch(`${url}/hooks/detector/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(signedAt / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(signedAt), text),
    },
    body: text,
  });
  return { status: response.status, body: (await response.json()) as AttackReport['body'] };
}

/** Returns the events of a service, newest first. */
export async function eventsOf(calls: NetworkCalls, service: number, params = {}): Promise<AnomalyEvent[]> {
  const { status, body } = await calls.v2('GET', `/v2/network/events/${service}`, params);
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return Object.values(body.result as unknown as Record<string, AnomalyEvent>).reverse();
}
