// The pages and their addresses below /panel. Each page is fetched when somebody goes there.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { JSX } from 'react';
import { Failed } from './parts/answer.tsx';
import { Layout } from './shell/layout.tsx';
import { NotThere } from './shell/not-there.tsx';
import { SignInPage } from './shell/sign-in-page.tsx';

const root = createRootRoute({ component: Outlet });
const within = createRoute({ getParentRoute: () => root, id: 'within', component: Layout });

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search: Record<string, unknown>): { staff?: true } =>
    search['staff'] === true ? { staff: true } : {},
});

type Load = () => Promise<Record<string, () => JSX.Element>>;
function page<const Path extends string>(path: Path, load: Load, name: string) {
  return createRoute({ getParentRoute: () => within, path, component: lazyRouteComponent(load, name) });
}

const pages = [
  page('/', () => import('./customer/overview.tsx'), 'OverviewPage'),
  page('/servers', () => import('./customer/servers.tsx'), 'ServersPage'),
  page('/servers/$service', () => import('./customer/server/page.tsx'), 'ServerPage'),
  page('/dns', () => import('./customer/dns/zones.tsx'), 'ZonesPage'),
  page('/dns/$domain', () => import('./customer/dns/zone.tsx'), 'ZonePage'),
  page('/network', () => import('./customer/network.tsx'), 'NetworkPage'),
  page('/licences', () => import('./customer/licences.tsx'), 'LicencesPage'),
  page('/invoices', () => import('./customer/invoices.tsx'), 'InvoicesPage'),
  page('/contacts', () => import('./customer/contacts.tsx'), 'ContactsPage'),
  page('/keys', () => import('./customer/keys.tsx'), 'KeysPage'),
  page('/webhooks', () => import('./customer/webhooks.tsx'), 'WebhooksPage'),
  page('/plans', () => import('./customer/plans.tsx'), 'PlansPage'),
  page('/audit', () => import('./customer/audit.tsx'), 'AuditPage'),
  page('/security', () => import('./customer/security.tsx'), 'SecurityPage'),
  page('/staff', () => import('./staff/fleet.tsx'), 'FleetPage'),
  page('/staff/racks', () => import('./staff/racks.tsx'), 'RacksPage'),
  page('/staff/services', () => import('./staff/services.tsx'), 'ServicesPage'),
  page('/staff/customers', () => import('./staff/customers.tsx'), 'CustomersPage'),
  page('/staff/customers/$account', () => import('./staff/customer.tsx'), 'CustomerPage'),
  page('/staff/addresses', () => import('./staff/addresses.tsx'), 'AddressesPage'),
  page('/staff/requests', () => import('./staff/requests.tsx'), 'RequestsPage'),
  page('/staff/work', () => import('./staff/work.tsx'), 'WorkPage'),
  page('/staff/nullroutes', () => import('./staff/nullroutes.tsx'), 'NullroutesPage'),
  page('/staff/billing', () => import('./staff/billing.tsx'), 'BillingPage'),
  page('/staff/audit', () => import('./staff/audit.tsx'), 'StaffAuditPage'),
  page('/staff/security', () => import('./staff/security.tsx'), 'StaffSecurityPage'),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signInRoute, within.addChildren(pages)]),
  basepath: '/panel',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotThere,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error as Error} again={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
