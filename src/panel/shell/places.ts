// Where one can go, in the order of the navigation: one table for the side bar, the palette and the phone's menu.
import type { Power } from '#contract/roles.ts';
import type { Scope } from '#contract/scopes.ts';
import type { IconName } from './icons.tsx';

export interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  /** What one must be allowed to; whoever is not does not see it. */
  readonly access: Scope | Power;
  /** More words under which the palette finds it. */
  readonly also?: string;
}

export const customerPlaces: readonly (readonly Place[])[] = [
  [
    { to: '/', label: 'Overview', icon: 'overview', access: 'device:read' },
    {
      to: '/servers',
      label: 'Servers',
      icon: 'server',
      access: 'device:read',
      also: 'machines vps cloud dedicated power',
    },
    { to: '/dns', label: 'DNS', icon: 'dns', access: 'dns:read', also: 'zones records domains' },
    {
      to: '/network',
      label: 'Network events',
      icon: 'shield',
      access: 'network:read',
      also: 'attacks ddos null-route',
    },
    { to: '/licences', label: 'Licences', icon: 'licence', access: 'software:read', also: 'software' },
  ],
  [
    { to: '/invoices', label: 'Invoices', icon: 'invoice', access: 'billing:read', also: 'billing balance pdf' },
    { to: '/contacts', label: 'Contacts', icon: 'people', access: 'account:read', also: 'sub-accounts permissions' },
  ],
  [
    { to: '/keys', label: 'API keys', icon: 'key', access: 'account:keys', also: 'scopes allow-list' },
    { to: '/webhooks', label: 'Webhooks', icon: 'webhook', access: 'webhook:read', also: 'deliveries' },
    { to: '/plans', label: 'Plans', icon: 'plan', access: 'plan:read', also: 'assistants approve refuse mcp' },
    { to: '/audit', label: 'Audit log', icon: 'audit', access: 'audit:read', also: 'who changed what' },
  ],
];

export const staffPlaces: readonly (readonly Place[])[] = [
  [
    { to: '/staff', label: 'Fleet', icon: 'overview', access: 'operator:read', also: 'health drift controllers' },
    { to: '/staff/racks', label: 'Racks', icon: 'rack', access: 'operator:read' },
    {
      to: '/staff/services',
      label: 'Services',
      icon: 'server',
      access: 'operator:read',
      also: 'suspend terminate provision',
    },
    { to: '/staff/customers', label: 'Customers', icon: 'people', access: 'operator:read', also: 'accounts' },
    {
      to: '/staff/addresses',
      label: 'Address plan',
      icon: 'address',
      access: 'operator:read',
      also: 'netblocks prefixes',
    },
  ],
  [
    { to: '/staff/requests', label: 'Requests', icon: 'request', access: 'operator:read', also: 'approve refuse' },
    { to: '/staff/work', label: 'Work', icon: 'work', access: 'operator:read', also: 'jobs workflows steps' },
    { to: '/staff/nullroutes', label: 'Null-routes', icon: 'shield', access: 'operator:read' },
  ],
  [
    { to: '/staff/billing', label: 'Billing run', icon: 'money', access: 'operator:read' },
    { to: '/staff/audit', label: 'Audit log', icon: 'audit', access: 'operator:read' },
  ],
];
