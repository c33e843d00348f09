// The provider's own words beside the events of billing. They are filled in here, once, so that the event log, webhooks and
// whatever sends mail behind them all say the same.
import type { EventData } from '#contract/events.ts';
import { messagePlaceholders, type MessageKind, type SiteMessage, type SiteMessages } from '#contract/site-messages.ts';
import type { Site } from '#contract/site.ts';
import { eventAppend, type AppendParts } from '#jobs/event-append.ts';
import { accountFind } from '#store/account/accounts.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import type { PlacedFault } from '../site/placed-fault.ts';

const metaName = 'messages';

interface Kept {
  readonly provider: string;
  readonly messages: SiteMessages;
}

export async function messagesPut(queries: Queries, { provider, messages = {} }: Site): Promise<void> {
  await metaPut(queries, metaName, JSON.stringify({ provider: provider.name, messages } satisfies Kept));
}

/** The event, with the provider's words where it has some for it. */
export async function messageAppend<Kind extends MessageKind>(
  parts: AppendParts,
  queries: Queries,
  { account, type, data }: { account: AccountId; type: Kind; data: EventData<Kind> },
): Promise<void> {
  await eventAppend(parts, queries, { account, type, data: await withMessage(queries, account, type, data) });
}

/** The same for what a request tells through its context. */
export async function withMessage<Kind extends MessageKind>(
  queries: Queries,
  account: AccountId,
  type: Kind,
  data: EventData<Kind>,
): Promise<EventData<Kind>> {
  const { provider, messages } = JSON.parse((await metaFind(queries, metaName)) ?? '{}') as Partial<Kept>;
  const message = messages?.[type];
  return message === undefined
    ? data
    : { ...data, message: await filledFor(queries, account, provider, message, data) };
}

async function filledFor(
  queries: Queries,
  account: AccountId,
  provider: string | undefined,
  { subject, text }: SiteMessage,
  data: object,
): Promise<SiteMessage> {
  const { firstname, lastname, companyname, email, currency } = (await accountFind(queries, account))!;
  const values = { ...data, firstname, lastname, company: companyname, email, currency, provider, account };
  return { subject: filled(subject, values), text: filled(text, values) };
}

const placeholder = /\{([a-z]{1,32})\}/g;

function filled(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ''));
}

export function* messageFaults({ messages = {} }: Site): Iterable<PlacedFault> {
  for (const [kind, message] of Object.entries(messages)) {
    const known: readonly string[] = messagePlaceholders[kind as MessageKind];
    for (const part of ['subject', 'text'] as const) {
      const names = [...message[part].matchAll(/\{([^{}]{0,64})\}/g)].map(([, name]) => name!);
      for (const name of names.filter((each) => !known.includes(each)))
        yield [['messages', kind, part], `{${name}} is not known here; there is {${known.join('}, {')}}`];
    }
  }
}
