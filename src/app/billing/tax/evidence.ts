// Evidence of where a private customer is. For electronic services, Article 24b of Implementing Regulation (EU) 282/2011
// asks for two pieces that do not contradict each other: the billing address is one, and the country of the IP address of
// an order, of a payment method, or what staff have seen can be the second.
import type { Static } from 'typebox';
import type { EvidenceSource, EvidenceState } from '#contract/shapes/invoice-delivery.ts';
import type { EvidenceConflict } from '#contract/shapes/tax-data.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind } from '#store/account/accounts.ts';
import { accountTaxFind } from '#store/billing/account-taxes.ts';
import * as store from '#store/billing/tax-evidence.ts';
import type { Queries } from '#store/store.ts';
import type { ReadProxyHeader } from '../../caller.ts';
import type { Context } from '../../app.ts';
import { presumedKind } from './decide.ts';
import { getTaxSettings } from './settings.ts';
import { territoryOf } from './territories.ts';

const conflictsPerPage = 100;

export interface EvidencePieces {
  /** Of the billing address. */
  readonly country: string;
  readonly isPrivate: boolean;
  readonly others: readonly { readonly country: string }[];
}

/** Two that agree are enough, even if a third does not. */
export function judgeEvidence({ country, isPrivate, others }: EvidencePieces): EvidenceState {
  const place = territoryOf(country, '');
  if (!isPrivate || !place.isEu) return 'unneeded';
  const agreeing = others.filter((piece) => territoryOf(piece.country, '').country === place.country);
  if (agreeing.length > 0) return 'sufficient';
  return others.length > 0 ? 'conflict' : 'missing';
}

/** Records the country that the proxy in front of us gives for a customer's address, if the site file names its header. */
export async function recordOrderCountry(
  queries: Queries,
  account: AccountId,
  { proxyHeader }: { readonly proxyHeader?: ReadProxyHeader | undefined },
  now: number,
): Promise<void> {
  if (proxyHeader === undefined) return;
  const header = (await getTaxSettings(queries))?.countryHeader;
  const country = header === undefined ? undefined : proxyHeader(header)?.toUpperCase();
  if (country === undefined || !isCountry(country)) return;
  await store.taxEvidencePut(queries, { account_id: account, source: 'order', country, at: now });
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Proxies use codes such as XX and T1 if they do not know the country. */
export function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !/^(?:X[A-JL-Z]|ZZ|Q[M-Z]|AA)$/.test(code) && names.of(code) !== undefined;
}

/** Records evidence from elsewhere, such as the country of a bank account. */
export async function recordEvidence(
  queries: Queries,
  evidence: { readonly account: AccountId; readonly source: EvidenceSource; readonly country: string },
  now: number,
): Promise<void> {
  const { account, source, country } = evidence;
  await store.taxEvidencePut(queries, { account_id: account, source, country, at: now });
}

export async function evidenceStateOf(queries: Queries, account: AccountId): Promise<EvidenceState> {
  const row = await accountFind(queries, account);
  if (row === undefined) return 'unneeded';
  const kind = (await accountTaxFind(queries, account))?.kind ?? presumedKind(row);
  const others = await store.taxEvidenceOf(queries, account);
  return judgeEvidence({ country: row.country, isPrivate: kind === 'private', others });
}

/** Lists private customers whose evidence contradicts the billing address. */
export async function taxConflictList(
  { queries }: Context,
  { limit = conflictsPerPage, after = 0 }: { readonly limit?: number; readonly after?: number },
): Promise<Static<typeof EvidenceConflict>[]> {
  const conflicts: Static<typeof EvidenceConflict>[] = [];
  for (let last = after; conflicts.length < limit;) {
    const page = await store.accountsWithOtherCountry(queries, last, conflictsPerPage);
    for (const account of page) {
      if (conflicts.length === limit || (await evidenceStateOf(queries, account.id)) !== 'conflict') continue;
      conflicts.push({
        account: String(account.id),
        name: account.companyname === '' ? `${account.firstname} ${account.lastname}` : account.companyname,
        country: account.country,
        evidence: account.evidence.map(({ source, country }) => ({ source, country })),
      });
    }
    if (page.length < conflictsPerPage) break;
    last = page.at(-1)!.id;
  }
  return conflicts;
}
