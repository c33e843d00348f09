// The users of a lab BMC: ten slots, of which the first is the anonymous user that IPMI wants to exist; it has no
// privilege here and stays disabled.

import type { UserPrivilege } from '#wire/ipmi/commands/user.ts';

export interface LabUser {
  name: string;
  password: string;
  privilege: UserPrivilege;
  isEnabled: boolean;
  hasMessaging: boolean;
}

export const userSlots = 10;
const anonymous = 1;

export class LabUsers {
  readonly #slots: LabUser[];
  readonly #changed: () => void;

  constructor(slots: readonly LabUser[], changed: () => void) {
    this.#slots = Array.from({ length: userSlots }, (_, index) => ({ ...(slots[index] ?? freeSlot) }));
    this.#changed = changed;
  }

  get all(): readonly LabUser[] {
    return this.#slots;
  }

  get enabledCount(): number {
    return this.#slots.filter((user) => user.isEnabled).length;
  }

  at(id: number): LabUser | undefined {
    return this.#slots[id - 1];
  }

  /** Who may open a session under this name. */
  withName(name: string): LabUser | undefined {
    if (name === '') return undefined;
    return this.#slots.find((user) => user.name === name && mayLogIn(user));
  }

  /** False for the anonymous user, for no slot at all, and for a name that another slot has. */
  change(id: number, change: Partial<LabUser>): boolean {
    const user = this.at(id);
    if (user === undefined || id === anonymous) return false;
    const { name } = change;
    if (name !== undefined && name !== '' && this.#slots.some((other) => other !== user && other.name === name)) {
      return false;
    }
    Object.assign(user, change);
    this.#changed();
    return true;
  }
}

function mayLogIn(user: LabUser): boolean {
  return user.isEnabled && user.hasMessaging && user.privilege !== 'none';
}

// Messaging is on in a free slot, as on most BMCs: a user then needs a name, a password, a privilege and to be enabled.
const freeSlot: LabUser = { name: '', password: '', privilege: 'none', isEnabled: false, hasMessaging: true };

/** The slots of a BMC as delivered: the anonymous user and the provider's administrator. */
export function factoryUsers(admin: { username: string; password: string }): LabUser[] {
  return [
    freeSlot,
    { name: admin.username, password: admin.password, privilege: 'administrator', isEnabled: true, hasMessaging: true },
  ];
}
