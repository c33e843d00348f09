// People who signed up, and a site that lets them.
import { createLinkToken } from '#app/account/links.ts';
import { applySite } from '#app/site/apply.ts';
import type { SignUpStatus } from '#contract/shapes/sign-up.ts';
import type { SiteSignUp } from '#contract/site/sign-up.ts';
import { invitationInsert, signUpInsert } from '#store/account/sign-ups.ts';
import type { TestApp } from './app.ts';

export const panelUrl = 'https://panel.provider.example';
export const terms = { version: '2026-11', url: 'https://provider.example/terms' };
/** So that a test does not spend seconds on the proof of work. */
export const difficulty = 8;

/** Messages are sent to the relay at this port; nothing need listen if no worker runs. */
export async function allowSignUp(app: TestApp, signUp: Partial<SiteSignUp> = {}, relayPort = 1): Promise<void> {
  const relays = [{ host: '127.0.0.1', port: relayPort, security: 'none' as const }];
  const mail = { from: 'noreply@provider.example', url: panelUrl, relays };
  await applySite(app.parts, { ...app.site, mail, signUp: { mode: 'open', terms, difficulty, ...signUp } });
}

let people = 0;
export async function insertSignUp({ parts: { store, clock } }: TestApp, status: SignUpStatus) {
  const { token, token_hash } = createLinkToken();
  const email = `signed-up-${process.pid}-${++people}@example.com`;
  const place = { address1: '', address2: '', city: '', state: '', postcode: '', country: 'NL', phonenumber: '' };
  const id = await signUpInsert(store.queries, {
    ...place,
    status,
    token_hash,
    invitation_id: null,
    sign_in: email,
    email,
    firstname: 'Grace',
    lastname: 'Hopper',
    companyname: '',
    language: '',
    password_hash: null,
    terms_version: terms.version,
    terms_url: terms.url,
    address: '203.0.113.7',
    created_at: clock.now(),
    verified_at: null,
    expires_at: clock.now() + 3_600_000,
    reason: '',
  });
  return { id: String(id), token, email };
}

export async function insertSignUpInvitation({ parts: { store, clock } }: TestApp): Promise<string> {
  const { token_hash } = createLinkToken();
  const times = { created_at: clock.now(), expires_at: clock.now() + 3_600_000 };
  return String(await invitationInsert(store.queries, { token_hash, email: '', invited_by: 'Sam', ...times }));
}
