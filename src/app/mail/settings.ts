// The mail settings, as stored from the site file: sealed, because relays have passwords and DKIM has a private key.
import type { SiteMail } from '#contract/site/mail.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { mailSettingsEntry } from '#store/mail/settings-entry.ts';
import { metaFind } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';

export interface MailSettings extends SiteMail {
  /** The provider's name. */
  readonly provider: string;
  /** The seller's name and address, line by line. */
  readonly legal: readonly string[];
}

/** Returns undefined if no email is sent. */
export async function findMailSettings(
  { secrets }: { readonly secrets: SecretBox },
  queries: Queries,
): Promise<MailSettings | undefined> {
  const sealed = await metaFind(queries, mailSettingsEntry);
  return sealed === undefined ? undefined : (JSON.parse(secrets.open(sealed, mailSettingsEntry)) as MailSettings);
}
