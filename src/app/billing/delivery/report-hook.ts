// Reports of the access point about documents: authenticated by their signature, in any order and repeatedly.
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AccessPointReport } from '#drivers/invoice-delivery/access-point.ts';
import { ApiError, invalid, requireFound } from '#lib/api-error.ts';
import { hookSecret, isHookGenuine, type HookReport } from '#lib/hook-signature.ts';
import { deliveryFind } from '#store/billing/invoice-deliveries.ts';
import type { App } from '../../app.ts';
import { recordReport } from './hand-over.ts';
import { getDeliverySettings } from './settings.ts';
import { isFinal, parseDocumentId } from './status.ts';

const hookName = 'access-point';
const maxReasonLength = 500;
const Report = Type.Intersect([Type.Object({ id: Type.String({ maxLength: 64 }) }), AccessPointReport]);

/** An unknown hook and a wrong signature get the same response. */
export async function receiveDeliveryReport(app: App, { name, headers, body }: HookReport): Promise<string> {
  const settings = await getDeliverySettings(app.secrets, app.store.queries);
  const secret = hookSecret(settings?.hookSecret ?? '');
  if (name !== hookName || secret === undefined || !isHookGenuine(secret, headers, body, app.clock.now()))
    throw new ApiError('unauthenticated', { message: 'The signature does not match any known sender.' });
  const { id, status, reference = '', reason = '' } = parseReport(body);
  const named = parseDocumentId(id);
  for (;;) {
    const stored = named && (await deliveryFind(app.store.queries, named.invoice, named.attempt));
    const delivery = requireFound(stored, 'Document not found.');
    if (isFinal(delivery.state)) return 'Report Known';
    // If its state changes at the same time, the report is applied to the new one. States only advance, so this ends.
    if (await recordReport(app, delivery, { status, reference, reason: reason.slice(0, maxReasonLength) }))
      return 'Report Received';
  }
}

function parseReport(body: Buffer) {
  let report: unknown;
  try {
    report = JSON.parse(body.toString());
  } catch {
    throw new ApiError('malformed_request');
  }
  if (!Value.Check(Report, report))
    throw invalid({ body: 'must have an id and a status: accepted, delivered or rejected' });
  return report;
}
