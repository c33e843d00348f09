// Accounts of a lab Redfish service. Most services create accounts in a collection; some have a fixed number of slots
// with empty names. Both are supported, and both have a limit.
import { sameSecret } from '#lib/secrets.ts';
import type { UserPrivilege } from '#protocols/ipmi/commands/user.ts';
import type { LabUser } from '../bmc/users.ts';

export const roles = ['Administrator', 'Operator', 'ReadOnly'] as const;
export type Role = (typeof roles)[number];

export interface LabAccount {
  id: string;
  name: string;
  password: string;
  role: Role;
  isEnabled: boolean;
}

export type AccountStyle = 'collection' | 'slots';
const maxAccounts = 9;
const ipmiRoles: Partial<Record<UserPrivilege, Role>> = { administrator: 'Administrator', operator: 'Operator' };

export class LabAccounts {
  readonly #accounts: LabAccount[];
  readonly #onChange: () => void;
  readonly #ipmiUsers: () => readonly LabUser[];
  readonly style: AccountStyle;

  constructor(
    style: AccountStyle,
    stored: readonly LabAccount[],
    onChange: () => void,
    ipmiUsers: () => readonly LabUser[] = () => [],
  ) {
    this.style = style;
    this.#onChange = onChange;
    this.#ipmiUsers = ipmiUsers;
    this.#accounts = stored.map((account) => ({ ...account }));
    if (style === 'collection') return;
    for (let id = this.#accounts.length + 1; id <= maxAccounts; id++) {
      this.#accounts.push(emptySlot(id));
    }
  }

  get all(): readonly LabAccount[] {
    return this.#accounts;
  }

  /** Returns the accounts that can sign in, including the users of an IPMI simulator of the same BMC. */
  get enabled(): readonly LabAccount[] {
    const users = this.#ipmiUsers().map(({ privilege, ...user }, index) => ({
      ...user,
      id: `ipmi-${index}`,
      role: ipmiRoles[privilege] ?? 'ReadOnly',
    }));
    return [...this.#accounts, ...users].filter(({ name, isEnabled }) => name !== '' && isEnabled);
  }

  /** Returns undefined if the limit is reached. */
  add(account: Omit<LabAccount, 'id'>): LabAccount | undefined {
    if (this.#accounts.length >= maxAccounts) return undefined;
    const usedIds = new Set(this.#accounts.map(({ id }) => id));
    const id = Array.from({ length: maxAccounts }, (_, index) => String(index + 1)).find(
      (candidate) => !usedIds.has(candidate),
    )!;
    const added = { id, ...account };
    this.#accounts.push(added);
    this.#onChange();
    return added;
  }

  change(account: LabAccount, change: Partial<LabAccount>): void {
    Object.assign(account, change);
    this.#onChange();
  }

  remove(account: LabAccount): void {
    this.#accounts.splice(this.#accounts.indexOf(account), 1);
    this.#onChange();
  }

  isNameTaken(name: string, except?: LabAccount): boolean {
    return this.#accounts.some((account) => account !== except && account.name === name);
  }

  authenticate(name: string, password: string): LabAccount | undefined {
    return this.enabled.find(
      (account) => account.name === name && sameSecret(Buffer.from(account.password), Buffer.from(password)),
    );
  }
}

export function factoryAccounts(
  { username, password }: { username: string; password: string },
  reservedSlots = 0,
): LabAccount[] {
  return [
    ...Array.from({ length: reservedSlots }, (_, index) => emptySlot(index + 1)),
    { id: String(reservedSlots + 1), name: username, password, role: 'Administrator', isEnabled: true },
  ];
}

function emptySlot(id: number): LabAccount {
  return { id: String(id), name: '', password: '', role: 'ReadOnly', isEnabled: false };
}
