// The provider's own texts for billing events. They are filled in once, here, so that the event log, webhooks and any
// mailer behind them all say the same.
import { Type } from 'typebox';
import type { EventData } from '#contract/events/events.ts';
import { messagePlaceholders, type MessageKind, type SiteMessages } from '#contract/site/messages.ts';
import type { Site } from '#contract/site/site.ts';
import { appendEvent, type AppendParts } from '#events/append.ts';
import { fillText } from '#lib/fill-text.ts';
import { accountFind } from '#store/account/accounts.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { SiteProblem } from '../site/site-problem.ts';
import type { AccountId } from '#store/account-id.ts';

const entry = metaEntry(
  'messages',
  Type.Object({
    provider: Type.String(),
    messages: Type.Unsafe<SiteMessages>(
      Type.Record(Type.String(), Type.Object({ subject: Type.String(), text: Type.String() })),
    ),
  }),
);

export async function storeMessages(queries: Queries, { provider, messages = {} }: Site): Promise<void> {
  await entry.put(queries, { provider: provider.name, messages });
}

/** Emits an event, with the provider's text if it has one for it. */
export async function appendMessage<Kind extends MessageKind>(
  parts: AppendParts,
  queries: Queries,
  { account, type, data }: { account: AccountId; type: Kind; data: EventData<Kind> },
): Promise<void> {
  await appendEvent(parts, queries, { account, type, data: await withMessage(queries, account, type, data) });
}

/** Returns the event data with the provider's text, for events that a request emits through its context. */
export async function withMessage<Kind extends MessageKind>(
  queries: Queries,
  account: AccountId,
  type: Kind,
  data: EventData<Kind>,
): Promise<EventData<Kind>> {
  const { provider, messages } = (await entry.find(queries)) ?? {};
  const message = messages?.[type];
  if (message === undefined) return data;
  const { firstname, lastname, companyname, email, currency } = (await accountFind(queries, account))!;
  const values = { ...data, firstname, lastname, company: companyname, email, currency, provider, account };
  return { ...data, message: { subject: fillText(message.subject, values), text: fillText(message.text, values) } };
}

export function* checkMessages({ messages = {} }: Site): Iterable<SiteProblem> {
  for (const [kind, message] of Object.entries(messages)) {
    const placeholders: readonly string[] = messagePlaceholders[kind as MessageKind];
    for (const part of ['subject', 'text'] as const) {
      const names = [...message[part].matchAll(/\{([^{}]{0,64})\}/g)].map(([, name]) => name!);
      for (const name of names.filter((candidate) => !placeholders.includes(candidate)))
        yield [['messages', kind, part], `unknown placeholder {${name}}; available: {${placeholders.join('}, {')}}`];
    }
  }
}
