// The pages and their paths below /panel. Each page is loaded when it is first visited.
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { lazy, type JSX } from 'react';
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
  validateSearch: ({ staff, from }: Record<string, unknown>): { staff?: true; from?: unknown } => ({
    ...(staff === true && { staff }),
    // Checked where it is used: a route also gets the parameters that it does not return here.
    ...(from !== undefined && { from }),
  }),
});

type LoadModule = () => Promise<Record<string, () => JSX.Element>>;
/** Not with the router's `lazyRouteComponent`, which reloads the document if it is offline, and so loses the panel. */
function page<const Path extends string>(path: Path, load: LoadModule, name: string) {
  const preload = async (): Promise<void> => void (await load());
  const component = Object.assign(
    lazy(async () => ({ default: (await load())[name]! })),
    { preload },
  );
  return createRoute({ getParentRoute: () => layoutRoute, path, component });
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
  page('/mail', () => import('./customer/mail.tsx'), 'MailPage'),
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
  page('/staff/mail', () => import('./staff/mail.tsx'), 'StaffMailPage'),
  page('/staff/billing', () => import('./staff/billing.tsx'), 'BillingPage'),
  page('/staff/audit', () => import('./staff/audit.tsx'), 'StaffAuditPage'),
  page('/staff/security', () => import('./staff/security.tsx'), 'StaffSecurityPage'),
  createRoute({ getParentRoute: () => layoutRoute, path: '$', component: NotFoundPage }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signInRoute, layoutRoute.addChildren(pages)]),
  basepath: '/panel',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <ErrorAlert error={error as Error} retry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
