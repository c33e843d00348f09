// The pages and their paths below /panel. Each page is loaded when it is first visited.
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  type ParsedLocation,
} from '@tanstack/react-router';
import { lazy, Suspense, type JSX } from 'react';
import { ErrorAlert } from './parts/query-result.tsx';
import { Layout } from './shell/layout.tsx';
import { NotFoundPage } from './shell/not-found-page.tsx';

const root = createRootRoute({ component: Outlet });
const layoutRoute = createRoute({ getParentRoute: () => root, id: 'layout', component: Layout });

const signInRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: withoutFrame(() => import('./shell/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: ({
    staff,
    from,
    account,
  }: Record<string, unknown>): { staff?: true; from?: unknown; account?: number } => ({
    ...(typeof account === 'number' && { account }),
    ...(staff === true && { staff }),
    // Checked where it is used: a route also gets the parameters that it does not return here.
    ...(from !== undefined && { from }),
  }),
});

const signOnRoute = createRoute({
  getParentRoute: () => root,
  path: '/sign-on/$provider',
  component: withoutFrame(() => import('./shell/sign-on-page.tsx'), 'SignOnPage'),
});

/**
 * Moves the token of a link in a message from the fragment to the state of the page: it is not in the address, and
 * it survives a reload, such as that of another language.
 */
function takeLinkToken({ location: { hash, pathname } }: { location: ParsedLocation }): void {
  if (hash !== '') throw redirect({ to: pathname, hash: '', state: { linkToken: hash }, replace: true });
}

/** Pages that need no session. */
function entryPage<const Path extends string>(path: Path, load: LoadModule, name: string) {
  return createRoute({
    getParentRoute: () => root,
    path,
    component: withoutFrame(load, name),
    beforeLoad: takeLinkToken,
  });
}

function withoutFrame(load: LoadModule, name: string): () => JSX.Element {
  const Component = lazy(() => loadPage(load, name));
  return () => (
    <Suspense>
      <Component />
    </Suspense>
  );
}

type LoadModule = () => Promise<object>;

async function loadPage(load: LoadModule, name: string): Promise<{ default: () => JSX.Element }> {
  return { default: ((await load()) as Record<string, () => JSX.Element>)[name]! };
}

/** Not with the router's `lazyRouteComponent`, which reloads the document if it is offline, and so loses the panel. */
function page<const Path extends string>(path: Path, load: LoadModule, name: string) {
  const preload = async (): Promise<void> => void (await load());
  const component = Object.assign(
    lazy(() => loadPage(load, name)),
    { preload },
  );
  return createRoute({ getParentRoute: () => layoutRoute, path, component });
}

const entryPages = [
  entryPage('/recover', () => import('./shell/link-pages.tsx'), 'RecoverPage'),
  entryPage('/staff/recover', () => import('./shell/link-pages.tsx'), 'StaffRecoverPage'),
  entryPage('/invitation', () => import('./shell/link-pages.tsx'), 'InvitationPage'),
  entryPage('/sign-up', () => import('./shell/sign-up-page.tsx'), 'SignUpPage'),
  entryPage('/sign-up/verify', () => import('./shell/sign-up-page.tsx'), 'VerifyPage'),
] as const;

const pages = [
  page('/', () => import('./customer/overview.tsx'), 'OverviewPage'),
  page('/servers', () => import('./customer/servers.tsx'), 'ServersPage'),
  page('/servers/new', () => import('./customer/machines/new-machine.tsx'), 'NewMachinePage'),
  page('/servers/$service', () => import('./customer/server/server-page.tsx'), 'ServerPage'),
  page('/dns', () => import('./customer/dns/zones-page.tsx'), 'ZonesPage'),
  page('/dns/$domain', () => import('./customer/dns/zone-page.tsx'), 'ZonePage'),
  page('/network', () => import('./customer/network.tsx'), 'NetworkPage'),
  page('/licences', () => import('./customer/licences.tsx'), 'LicencesPage'),
  page('/invoices', () => import('./customer/invoices.tsx'), 'InvoicesPage'),
  page('/payments', () => import('./customer/payments.tsx'), 'PaymentsPage'),
  page('/statements', () => import('./customer/statements.tsx'), 'StatementsPage'),
  page('/tax', () => import('./customer/tax.tsx'), 'TaxPage'),
  page('/contacts', () => import('./customer/contacts.tsx'), 'ContactsPage'),
  page('/mail', () => import('./customer/mail.tsx'), 'MailPage'),
  page('/keys', () => import('./customer/keys.tsx'), 'KeysPage'),
  page('/volumes', () => import('./customer/volumes.tsx'), 'VolumesPage'),
  page('/ssh-keys', () => import('./customer/ssh-keys.tsx'), 'SshKeysPage'),
  page('/profile', () => import('./customer/profile.tsx'), 'ProfilePage'),
  page('/webhooks', () => import('./customer/webhooks.tsx'), 'WebhooksPage'),
  page('/plans', () => import('./customer/approvals.tsx'), 'ApprovalsPage'),
  page('/events', () => import('./customer/events.tsx'), 'EventsPage'),
  page('/audit', () => import('./customer/audit.tsx'), 'AuditPage'),
  page('/privacy', () => import('./customer/privacy.tsx'), 'PrivacyPage'),
  page('/security', () => import('./customer/security.tsx'), 'SecurityPage'),
  page('/staff', () => import('./staff/fleet.tsx'), 'FleetPage'),
  page('/staff/device/$device', () => import('./staff/device.tsx'), 'DevicePage'),
  page('/staff/racks', () => import('./staff/racks.tsx'), 'RacksPage'),
  page('/staff/nodes', () => import('./staff/nodes.tsx'), 'NodesPage'),
  page('/staff/nodes/$node', () => import('./staff/node.tsx'), 'NodePage'),
  page('/staff/switches', () => import('./staff/switches.tsx'), 'SwitchesPage'),
  page('/staff/switches/$switch', () => import('./staff/switch.tsx'), 'SwitchPage'),
  page('/staff/runbook', () => import('./staff/runbook.tsx'), 'RunbookPage'),
  page('/staff/runbook/$page', () => import('./staff/runbook.tsx'), 'RunbookPage'),
  page('/staff/services', () => import('./staff/services.tsx'), 'ServicesPage'),
  page('/staff/customers', () => import('./staff/customers.tsx'), 'CustomersPage'),
  page('/staff/customers/$account', () => import('./staff/customer.tsx'), 'CustomerPage'),
  page('/staff/addresses', () => import('./staff/addresses.tsx'), 'AddressesPage'),
  page('/staff/sign-ups', () => import('./staff/sign-ups.tsx'), 'SignUpsPage'),
  page('/staff/requests', () => import('./staff/requests.tsx'), 'RequestsPage'),
  page('/staff/work', () => import('./staff/jobs.tsx'), 'JobsPage'),
  page('/staff/licences', () => import('./staff/licences.tsx'), 'LicenceOrdersPage'),
  page('/staff/sync', () => import('./staff/sync.tsx'), 'SyncPage'),
  page('/staff/nullroutes', () => import('./staff/nullroutes.tsx'), 'NullRoutesPage'),
  page('/staff/maintenance', () => import('./staff/maintenance.tsx'), 'MaintenancePage'),
  page('/staff/mail', () => import('./staff/mail.tsx'), 'StaffMailPage'),
  page('/staff/bank', () => import('./staff/bank.tsx'), 'BankPage'),
  page('/staff/tax', () => import('./staff/tax.tsx'), 'StaffTaxPage'),
  page('/staff/invoices', () => import('./staff/invoices.tsx'), 'StaffInvoicesPage'),
  page('/staff/plans', () => import('./staff/plans.tsx'), 'PlansPage'),
  page('/staff/receivables', () => import('./staff/receivables.tsx'), 'ReceivablesPage'),
  page('/staff/revenue', () => import('./staff/revenue.tsx'), 'RevenuePage'),
  page('/staff/billing', () => import('./staff/billing.tsx'), 'BillingPage'),
  page('/staff/audit', () => import('./staff/audit.tsx'), 'StaffAuditPage'),
  page('/staff/security', () => import('./staff/security.tsx'), 'StaffSecurityPage'),
  createRoute({ getParentRoute: () => layoutRoute, path: '$', component: NotFoundPage }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([signInRoute, signOnRoute, ...entryPages, layoutRoute.addChildren(pages)]),
  basepath: '/panel',
  defaultPreload: 'intent',
  // A form must not follow someone from one customer's page to that of another.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <ErrorAlert error={error as Error} retry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** Of the link in a message that opened the page. */
    linkToken?: string;
  }
}
