// v2: single sign-on through the identity provider of an account.
import type { signOnV2 } from '#contract/v2/sign-on.ts';
import { signOnBegin, signOnComplete } from '#app/sign-on/customers.ts';
import { signOnDomainAdd, signOnDomainDelete, signOnDomainVerify } from '#app/sign-on/domains.ts';
import { signOnSettingsDelete, signOnSettingsGet, signOnSettingsSet } from '#app/sign-on/account-settings.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const signOnHandlers: HandlersOf<typeof signOnV2> = {
  signOnBegin,
  signOnComplete,
  signOnSettingsGet: (context) => signOnSettingsGet(context),
  signOnSettingsSet,
  signOnSettingsDelete: respondWith('Identity Provider Removed', (context) => signOnSettingsDelete(context)),
  signOnDomainAdd: (context, { domain }) => signOnDomainAdd(context, domain),
  signOnDomainVerify: (context, { domain, required }) => signOnDomainVerify(context, domain, required),
  signOnDomainDelete: respondWith('Domain Removed', (context, { domain }) => signOnDomainDelete(context, domain)),
};
