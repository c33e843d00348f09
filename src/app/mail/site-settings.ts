// Stores the mail section of a site file, and checks what its schema cannot express.
import { createPrivateKey } from 'node:crypto';
import type { Site } from '#contract/site/site.ts';
import { mailSettingsEntry } from '#store/mail/settings-entry.ts';
import { metaFind, metaPut, metaRemove } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { sealSettingsIfChanged } from '../site/equipment.ts';
import type { SiteProblem } from '../site/site-problem.ts';
import type { MailSettings } from './settings.ts';

/** The token of each message needs the rest of the 64 characters. */
const maxBounceLocalPart = 24;

export async function storeMailSettings(app: App, queries: Queries, { mail, provider }: Site): Promise<void> {
  if (mail === undefined) return metaRemove(queries, mailSettingsEntry);
  const { name, address1, address2, postcode, city, country, vatNumber, registration } = provider.seller ?? {};
  const place = [postcode, city].filter(Boolean).join(' ');
  const legal = [name, address1, address2, [place, country].filter(Boolean).join(', '), registration, vatNumber];
  const settings: MailSettings = {
    ...mail,
    provider: provider.name,
    legal: legal.filter((line) => !!line) as string[],
  };
  const stored = await metaFind(queries, mailSettingsEntry);
  await metaPut(queries, mailSettingsEntry, sealSettingsIfChanged(app, stored, settings, mailSettingsEntry));
}

export function* checkMail({ mail }: Site): Iterable<SiteProblem> {
  for (const [index, { username, password, security, host }] of (mail?.relays ?? []).entries()) {
    const path = ['mail', 'relays', index];
    if ((username === undefined) !== (password === undefined))
      yield [path, 'needs both username and password, or none'];
    if (security === 'none' && password !== undefined && !isLoopback(host))
      yield [[...path, 'security'], 'must not be none with a password, which would be sent unencrypted'];
  }
  const bounceLocalPart = mail?.bounceAddress?.split('@')[0] ?? '';
  if (bounceLocalPart.length > maxBounceLocalPart || bounceLocalPart.includes('+'))
    yield [['mail', 'bounceAddress'], `must have at most ${maxBounceLocalPart} characters before the @, and no +`];
  const key = mail?.dkim?.privateKey;
  if (typeof key === 'string' && !isRsaKey(key))
    yield [['mail', 'dkim', 'privateKey'], 'must be an RSA private key in PEM'];
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
