// The people of an account who receive email, and what each of them has chosen.
import { Type } from 'typebox';
import { contactFlags, type ContactFlag } from '#contract/mail/kinds.ts';
import { putRow, selectWhere } from '../engine/rows.ts';
import { accountFind } from '../account/accounts.ts';
import { serviceLimits } from '../account/service-limits.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { Queries } from '../store.ts';

const offKinds = jsonColumn('mail_choices.off_kinds', Type.Array(Type.String()));

export interface MailChoices {
  /** Empty if the person has not chosen. */
  readonly language: string;
  readonly off: readonly string[];
}
export interface Recipient extends MailChoices {
  /** Null for the account itself. */
  readonly contact: number | null;
  readonly address: string;
  /** The account itself has all. */
  readonly flags: ReadonlySet<ContactFlag>;
  /** The only services that exist for the person. */
  readonly services: ReadonlySet<number> | undefined;
}

const noChoices: MailChoices = { language: '', off: [] };
/** An account can have thousands of contacts, which must not turn one event into thousands of messages. */
const maxContacts = 50;

export async function choicesFind(
  queries: Queries,
  account: AccountId,
  contact: number | undefined,
): Promise<MailChoices> {
  const key = { account_id: account, contact_id: contact ?? 0 };
  const row = await selectWhere(queries, 'mail_choices', key).selectAll().executeTakeFirst();
  return row === undefined ? noChoices : { language: row.language, off: offKinds.decode(row.off_kinds) };
}

/** Returns the choices of a person, which nobody else changes until the transaction ends. */
export async function choicesLock(
  queries: Queries,
  account: AccountId,
  contact: number | undefined,
): Promise<MailChoices> {
  const row = await queries
    .insertInto('mail_choices')
    .values({ account_id: account, contact_id: contact ?? 0, language: '', off_kinds: offKinds.encode([]) })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'contact_id'])
        .doUpdateSet((set) => ({ language: set.ref('mail_choices.language') })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { language: row.language, off: offKinds.decode(row.off_kinds) };
}

export async function choicesPut(
  queries: Queries,
  account: AccountId,
  contact: number | undefined,
  { language, off }: MailChoices,
): Promise<void> {
  const row = { account_id: account, contact_id: contact ?? 0, language, off_kinds: offKinds.encode(off) };
  await putRow(queries, 'mail_choices', ['account_id', 'contact_id'], row);
}

/** Returns the account, then the concerned contacts, and the first ones that have any of the flags. */
export async function recipientList(
  queries: Queries,
  account: AccountId,
  flags: readonly ContactFlag[],
  concerned: readonly number[],
): Promise<Recipient[]> {
  const owner = await accountFind(queries, account);
  if (owner === undefined) return [];
  const contacts = await selectWhere(queries, 'contacts', { account_id: account })
    .select(['id', 'email', 'services', ...contactFlags])
    .where((where) =>
      where.or([...flags.map((flag) => where(flag, '=', 1)), ...concerned.map((id) => where('id', '=', id))]),
    )
    .$if(concerned.length > 0, (query) =>
      query.orderBy((row) => row.case().when('id', 'in', concerned).then(0).else(1).end()),
    )
    .orderBy('id')
    .limit(maxContacts)
    .execute();
  const rows = await selectWhere(queries, 'mail_choices', { account_id: account }).selectAll().execute();
  const choices = new Map(
    rows.map((row) => [row.contact_id, { language: row.language, off: offKinds.decode(row.off_kinds) }]),
  );
  const ownerChoices = choices.get(0) ?? noChoices;
  return [
    { contact: null, address: owner.email, flags: new Set(contactFlags), services: undefined, ...ownerChoices },
    ...contacts.map((contact) => {
      const { language, off } = choices.get(contact.id) ?? noChoices;
      return {
        contact: contact.id,
        address: contact.email,
        flags: new Set(contactFlags.filter((flag) => contact[flag] === 1)),
        services: serviceLimits.decode(contact.services),
        language: language === '' ? ownerChoices.language : language,
        off,
      };
    }),
  ];
}
