// The pages and their paths below /panel. Each page is loaded when it is first visited.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { JSX } from 'react';
import { ErrorAlert } from './parts/query-result.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';
import { SignInPage } from './shell/sign-in-page.tsx';

const root = createRootRoute({ component: Outlet });
const layoutRoute = createRoute({ getParentRoute: () => root, id: 'layout', component: Layout });

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  validateSearch: (search: Record<string, unknown>): { staff?: true } =>
    search['staff'] === true ? { staff: true } : {},
});

type LoadModule = () => Promise<Record<string, () => JSX.Element>>;
function page<const Path extends string>(path: Path, load: LoadModule, name: string) {
  return createRoute({ getParentRoute: () => layoutRoute, path, component: lazyRouteComponent(load, name) });
}

const pages = [
  page('/', () => import('./customer/overview.tsx'), 'OverviewPage'),
  page('/servers', () => import('./customer/servers.tsx'), 'ServersPage'),
  page('/servers/$service', () => import('./customer/server/server-page.tsx'), 'ServerPage'),
  page('/dns', () => import('./customer/dns/zones-page.tsx'), 'ZonesPage'),
  page('/dns/$domain', () => import('./customer/dns/zone-page.tsx'), 'ZonePage'),
  page('/network', () => import('./customer/network.tsx'), 'NetworkPage'),
  page('/licences', () => import('./customer/licences.tsx'), 'LicencesPage'),
  page('/invoices', () => import('./customer/invoices.tsx'), 'InvoicesPage'),
  page('/contacts', () => import('./customer/contacts.tsx'), 'ContactsPage'),
  page('/keys', () => import('./customer/keys.tsx'), 'KeysPage'),
  page('/webhooks', () => import('./customer/webhooks.tsx'), 'WebhooksPage'),
  page('/plans', () => import('./customer/approvals.tsx'), 'ApprovalsPage'),
  page('/audit', () => import('./customer/audit.tsx'), 'AuditPage'),
  page('/security', () => import('./customer/security.tsx'), 'SecurityPage'),
  page('/staff', () => import('./staff/fleet.tsx'), 'FleetPage'),
  page('/staff/racks', () => import('./staff/racks.tsx'), 'RacksPage'),
  page('/staff/services', () => import('./staff/services.tsx'), 'ServicesPage'),
  page('/staff/customers', () => import('./staff/customers.tsx'), 'CustomersPage'),
  page('/staff/customers/$account', () => import('./staff/customer.tsx'), 'CustomerPage'),
  page('/staff/addresses', () => import('./staff/addresses.tsx'), 'AddressesPage'),
  page('/staff/requests', () => import('./staff/requests.tsx'), 'RequestsPage'),
  page('/staff/work', () => import('./staff/jobs.tsx'), 'JobsPage'),
  page('/staff/nullroutes', () => import('./staff/nullroutes.tsx'), 'NullRoutesPage'),
  page('/staff/billing', () => import('./staff/billing.tsx'), 'BillingPage'),
  page('/staff/audit', () => import('./staff/audit.tsx'), 'StaffAuditPage'),
  page('/staff/security', () => import('./staff/security.tsx'), 'StaffSecurityPage'),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signInRoute, layoutRoute.addChildren(pages)]),
  basepath: '/panel',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ({ error, reset }) => <ErrorAlert error={error as Error} retry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
