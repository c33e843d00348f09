// Both interfaces, whole: every declaration under its operation's name.
import { billingLegacy } from './legacy/billing.ts';
import { clientLegacy } from './legacy/client.ts';
import { accountV2 } from './v2/account.ts';
import { keyV2 } from './v2/key.ts';

export const v2 = { ...accountV2, ...keyV2 } as const;
export const legacy = { ...clientLegacy, ...billingLegacy } as const;
export const faces = { v2, legacy } as const;
export type FaceName = keyof typeof faces;
