// The access point from the site file, stored sealed because it has secrets.
import { Type, type Static } from 'typebox';
import { isDeepStrictEqual } from 'node:util';
import type { Site } from '#contract/site/site.ts';
import { hookSecret } from '#lib/hook-signature.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { jsonColumn } from '#store/json-column.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { parseReference } from '../../site/secrets.ts';
import type { SiteProblem } from '../../site/site-problem.ts';

const metaName = 'invoice delivery';
const Settings = Type.Object({ url: Type.String(), token: Type.String(), hookSecret: Type.Optional(Type.String()) });
export type DeliverySettings = Static<typeof Settings>;
const column = jsonColumn(`meta entry "${metaName}"`, Settings);

/** Does not seal unchanged settings again, so that applying the same site file changes nothing. */
export async function storeDeliverySettings(
  secrets: SecretBox,
  queries: Queries,
  { invoiceDelivery }: Site,
): Promise<void> {
  const { driver: _, ...settings } = invoiceDelivery ?? { driver: undefined };
  const wanted = invoiceDelivery === undefined ? undefined : (settings as DeliverySettings);
  if (isDeepStrictEqual(await getDeliverySettings(secrets, queries), wanted)) return;
  await metaPut(queries, metaName, wanted === undefined ? '' : secrets.seal(column.encode(wanted), metaName));
}

/** Returns undefined if the site file names no access point. */
export async function getDeliverySettings(secrets: SecretBox, queries: Queries): Promise<DeliverySettings | undefined> {
  const sealed = (await metaFind(queries, metaName)) ?? '';
  return sealed === '' ? undefined : column.decode(secrets.open(sealed, metaName));
}

export async function hasAccessPoint(queries: Queries): Promise<boolean> {
  return ((await metaFind(queries, metaName)) ?? '') !== '';
}

export function* checkInvoiceDelivery({ invoiceDelivery, provider }: Site): Iterable<SiteProblem> {
  if (invoiceDelivery === undefined) return;
  if (provider.seller === undefined) yield [['invoiceDelivery'], 'invoiceDelivery needs seller under provider'];
  const secret = invoiceDelivery.hookSecret;
  if (secret !== undefined && parseReference(secret) === undefined && hookSecret(secret) === undefined)
    yield [['invoiceDelivery', 'hookSecret'], 'hookSecret must be whsec_ followed by at least 16 bytes in base64'];
}
