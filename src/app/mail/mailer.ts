// Hands messages to the relays of the site file, in their order. A relay that could not be used is tried last for a
// while, so that one that hangs does not delay every message.
import { MailError, type MailRelay, type OutgoingMail } from '#drivers/mail/driver.ts';
import { openSmtpRelay } from '#drivers/mail/smtp.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { mailSettingsEntry } from '#store/mail/settings-entry.ts';
import { metaFind } from '#store/meta.ts';
import type { Store } from '#store/store.ts';
import { findMailSettings, type MailSettings } from './settings.ts';

export type MailOutcome =
  | { readonly how: 'accepted'; readonly relay: string }
  | { readonly how: 'rejected' | 'deferred'; readonly error: string };

export interface Mailer {
  /** Returns undefined if no email is sent. */
  settings(): Promise<MailSettings | undefined>;
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** Returns the problem of each relay, or undefined if it would accept mail. */
  check(): Promise<readonly { readonly relay: string; readonly problem: string | undefined }[]>;
  /** The relays that this process has used, and whether the last use succeeded. */
  relayStates(): readonly { readonly relay: string; readonly isUp: boolean }[];
  close(): void;
}

/** How long a relay that could not be used is tried last. */
const avoidedMs = 60_000;

interface OpenRelay {
  readonly relay: MailRelay;
  /** Undefined before the first use. */
  isUp: boolean | undefined;
  avoidedUntil: number;
}
interface Opened {
  readonly source: string;
  readonly settings: MailSettings;
  readonly relays: readonly OpenRelay[];
}

export function openMailer(app: { readonly store: Store; readonly secrets: SecretBox }): Mailer {
  let opened: Opened | undefined;

  async function open(): Promise<Opened | undefined> {
    const { queries } = app.store;
    const source = await metaFind(queries, mailSettingsEntry);
    if (source === opened?.source) return opened;
    const settings = await findMailSettings(app, queries);
    // Another message has opened them meanwhile, and may be using them already.
    if (opened?.source === source) return opened;
    closeRelays();
    if (source === undefined || settings === undefined) return undefined;
    const relays = settings.relays.map((relay) => ({
      relay: openSmtpRelay(relay, settings.dkim),
      isUp: undefined,
      avoidedUntil: 0,
    }));
    opened = { source, settings, relays };
    return opened;
  }

  function closeRelays(): void {
    for (const { relay } of opened?.relays ?? []) relay.close();
    opened = undefined;
  }

  return {
    settings: async () => (await open())?.settings,
    async send(mail) {
      const now = performance.now();
      const relays = (await open())?.relays ?? [];
      const inOrder = relays.toSorted(
        (left, right) => Number(left.avoidedUntil > now) - Number(right.avoidedUntil > now),
      );
      const errors: string[] = [];
      for (const entry of inOrder) {
        const { name } = entry.relay;
        try {
          await entry.relay.send(mail);
          entry.isUp = true;
          entry.avoidedUntil = 0;
          return { how: 'accepted', relay: name };
        } catch (error) {
          const { problem, message } =
            error instanceof MailError ? error : { problem: 'unusable', message: String(error) };
          entry.isUp = problem !== 'unusable';
          if (problem === 'unusable') entry.avoidedUntil = performance.now() + avoidedMs;
          errors.push(`${name}: ${message}`);
          if (problem === 'rejected') return { how: 'rejected', error: errors.join('; ') };
        }
      }
      return { how: 'deferred', error: errors.length === 0 ? 'no relay is configured' : errors.join('; ') };
    },
    async check() {
      return Promise.all(
        ((await open())?.relays ?? []).map(async (entry) => {
          const problem = await entry.relay.check().then(
            () => undefined,
            (error: Error) => error.message,
          );
          entry.isUp = problem === undefined;
          return { relay: entry.relay.name, problem };
        }),
      );
    },
    relayStates: () =>
      (opened?.relays ?? []).flatMap(({ relay, isUp }) => (isUp === undefined ? [] : [{ relay: relay.name, isUp }])),
    close: closeRelays,
  };
}
