// The users of a lab BMC: ten slots, the first of which is the anonymous user that IPMI requires. It stays disabled and
// without privileges.

import type { UserPrivilege } from '#protocols/ipmi/commands/user.ts';

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
  readonly #onChange: () => void;
  /** Accepts changes without making them. */
  ignoresChanges = false;

  constructor(slots: readonly LabUser[], onChange: () => void) {
    this.#slots = Array.from({ length: userSlots }, (_, index) => ({ ...(slots[index] ?? freeSlot) }));
    this.#onChange = onChange;
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

  idOf(user: LabUser): number {
    return this.#slots.indexOf(user) + 1;
  }

  /** Returns the user of this name if they can log in. */
  withName(name: string): LabUser | undefined {
    if (name === '') return undefined;
    return this.#slots.find((user) => user.name === name && canLogIn(user));
  }

  /** Returns false for the anonymous user, an unknown slot, or a name that another slot already has. */
  change(id: number, change: Partial<LabUser>): boolean {
    const user = this.at(id);
    if (user === undefined || id === anonymous) return false;
    const { name } = change;
    if (name !== undefined && name !== '' && this.#slots.some((other) => other !== user && other.name === name)) {
      return false;
    }
    if (this.ignoresChanges) return true;
    Object.assign(user, change);
    this.#onChange();
    return true;
  }
}

function canLogIn(user: LabUser): boolean {
  return user.isEnabled && user.hasMessaging && user.privilege !== 'none';
}

// Free slots have messaging enabled, as on most BMCs. A user still needs a name, a password, a privilege and to be
// enabled.
const freeSlot: LabUser = { name: '', password: '', privilege: 'none', isEnabled: false, hasMessaging: true };

/** Returns the users of a factory-new BMC: the anonymous user and the provider's administrator. */
export function factoryUsers(admin: { username: string; password: string }): LabUser[] {
  return [
    freeSlot,
    { name: admin.username, password: admin.password, privilege: 'administrator', isEnabled: true, hasMessaging: true },
  ];
}
