// Who may use a lab Redfish service. Most services make accounts in a collection; some have a fixed number of slots that are
// there from the beginning with empty names. Both are here, and both are full at some point.
import { timingSafeEqual } from 'node:crypto';

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
export const accountPlaces = 9;

export class LabAccounts {
  readonly #accounts: LabAccount[];
  readonly #changed: () => void;
  readonly style: AccountStyle;

  constructor(style: AccountStyle, stored: readonly LabAccount[], changed: () => void) {
    this.style = style;
    this.#changed = changed;
    this.#accounts = stored.map((account) => ({ ...account }));
    if (style === 'collection') return;
    for (let id = this.#accounts.length + 1; id <= accountPlaces; id++) {
      this.#accounts.push({ id: String(id), name: '', password: '', role: 'ReadOnly', isEnabled: false });
    }
  }

  get all(): readonly LabAccount[] {
    return this.#accounts;
  }

  at(id: string): LabAccount | undefined {
    return this.#accounts.find((account) => account.id === id);
  }

  /** Undefined where there is no room. */
  add(account: Omit<LabAccount, 'id'>): LabAccount | undefined {
    if (this.#accounts.length >= accountPlaces) return undefined;
    const taken = new Set(this.#accounts.map(({ id }) => id));
    const id = Array.from({ length: accountPlaces }, (_, index) => String(index + 1)).find((one) => !taken.has(one))!;
    const added = { id, ...account };
    this.#accounts.push(added);
    this.#changed();
    return added;
  }

  change(account: LabAccount, change: Partial<LabAccount>): void {
    Object.assign(account, change);
    this.#changed();
  }

  remove(account: LabAccount): void {
    this.#accounts.splice(this.#accounts.indexOf(account), 1);
    this.#changed();
  }

  isNameTaken(name: string, except?: LabAccount): boolean {
    return this.#accounts.some((account) => account !== except && account.name === name);
  }

  withPassword(name: string, password: string): LabAccount | undefined {
    const account = this.#accounts.find((one) => one.name === name && name !== '' && one.isEnabled);
    return account !== undefined && same(account.password, password) ? account : undefined;
  }
}

function same(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function factoryAccounts({ username, password }: { username: string; password: string }): LabAccount[] {
  return [{ id: '1', name: username, password, role: 'Administrator', isEnabled: true }];
}
