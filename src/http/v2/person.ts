// v2: the sessions, recovery codes and preferences of the person who calls.
import type { personV2 } from '#contract/v2/person.ts';
import { sessionList, sessionRevoke } from '#app/account/own-sessions.ts';
import { preferencesGet, preferencesSet } from '#app/account/preferences.ts';
import { recoveryCodesCreate } from '#app/account/recovery-codes.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const personHandlers: HandlersOf<typeof personV2> = {
  sessionList: (context) => sessionList(context),
  sessionRevoke: respondWith('Session Ended', (context, { id }) => sessionRevoke(context, id)),
  recoveryCodesCreate: (context) => recoveryCodesCreate(context),
  preferencesGet: (context) => preferencesGet(context),
  preferencesSet: respondWith('Preferences Updated', preferencesSet),
};
