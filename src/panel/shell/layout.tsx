// The frame around every page: navigation, search, user menu and connection state.
import { ActionIcon, AppShell, Burger, Button, Group, Kbd, Menu, NavLink, Text, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { Link, Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState, type JSX } from 'react';
import type { Scope } from '#contract/scopes.ts';
import { queryClient } from '../data/query-client.ts';
import { useLiveUpdates } from '../data/live-updates.ts';
import { signOut, usePortal, useSession, type Portal } from '../data/session.ts';
import { useIdentity, useScopeDenial, type Identity } from '../data/identity.ts';
import { useOwnPreferences } from '../data/preferences.ts';
import { useIsSignInPromptOpen } from '../data/sign-in-prompt.ts';
import { NoAccess } from '../parts/no-access.tsx';
import { Page } from '../parts/page.tsx';
import { errorText } from '../parts/error-text.ts';
import { LoadingPage } from '../parts/query-result.tsx';
import mark from '../mark.svg';
import { Icon } from './icons.tsx';
import { useLater, usePart } from './later.ts';
import { LimitedSession } from './limited-session.tsx';
import { customerNavigation, navigationLabels, staffNavigation, type NavItem } from './navigation.ts';
import { palette } from './palette-state.ts';
import { useSchemeSwitch } from './scheme-switch.ts';
import { returnPathTo } from './return-path.ts';
import { changeLanguage, otherLanguages } from '../text/language.ts';
import { t } from '../text/text.ts';

const loadPalette = async () => (await import('./palette.tsx')).Palette;
const loadSignInAgain = async () => (await import('./sign-in-again.tsx')).SignInAgain;
const loadShortcuts = async () => (await import('./shortcuts.tsx')).Shortcuts;

/** Only staff load it. */
const InstallationAlerts = lazy(async () => ({
  default: (await import('../staff/parts/installation-alerts.tsx')).InstallationAlerts,
}));

export function Layout(): JSX.Element | null {
  const portal = usePortal();
  const isSignedIn = useSession(portal) !== null;
  const navigate = useNavigate();
  const router = useRouter();
  // Only the page that was opened without a session: after signing out, the next person starts at the start page.
  const [askedPage] = useState(() => (isSignedIn ? {} : returnPathTo(router.state.location.href)));
  useEffect(() => {
    if (isSignedIn) return;
    // The next person may be another one; signing out in one tab ends the session in all.
    queryClient.removeQueries({ queryKey: [portal] });
    const search = { ...(portal === 'staff' && { staff: true as const }), ...askedPage };
    void navigate({ to: '/sign-in', search, replace: true });
  }, [isSignedIn, portal, navigate, askedPage]);
  return isSignedIn ? <Shell portal={portal} /> : null;
}

function Shell({ portal }: { portal: Portal }): JSX.Element {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [isComplete, loadRest] = useLater();
  const openPalette = (): void => {
    loadRest();
    palette.open();
  };
  const Palette = usePart(loadPalette, isComplete);
  const Shortcuts = usePart(loadShortcuts, isComplete);
  const SignInAgain = usePart(loadSignInAgain, useIsSignInPromptOpen(portal) || isComplete);
  const connection = useLiveUpdates(portal);
  const identity = useIdentity(portal);
  useOwnPreferences(portal);
  const groups = (portal === 'staff' ? staffNavigation : customerNavigation)
    .map((items, index) => ({
      label: navigationLabels[portal][index]!,
      items: items.filter(({ access }) => identity?.can(access) === true),
    }))
    .filter(({ items }) => items.length > 0);
  // Here instead of in the palette, which is loaded after the page.
  useHotkeys([
    ['/', openPalette],
    ['mod+K', openPalette],
  ]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <SkipLink />
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('Menu')} />
            <Link to={portal === 'staff' ? '/staff' : '/'} className="plain">
              <Group gap={8} wrap="nowrap">
                <img src={mark} width={24} height={24} alt="" />
                <Text fw={700}>Hostyard</Text>
                {portal === 'staff' && (
                  <Text c="dimmed" size="sm">
                    {t('staff')}
                  </Text>
                )}
              </Group>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            {connection === 'lost' && <ConnectionLost />}
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="search" size={16} />}
              onClick={openPalette}
              visibleFrom="sm"
            >
              {t('Search')}&ensp;<Kbd size="xs">/</Kbd>
            </Button>
            <ActionIcon variant="default" size="lg" onClick={openPalette} hiddenFrom="sm" aria-label={t('Search')}>
              <Icon name="search" />
            </ActionIcon>
            <ColourSchemeButton />
            <UserMenu portal={portal} identity={identity} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <nav aria-label={t('Pages')} style={{ overflowY: 'auto' }}>
          {groups.map(({ label, items }) => (
            <div key={label}>
              {label !== '' && (
                <Text size="xs" c="dimmed" fw={600} px={12} pt="md" pb={4}>
                  {label}
                </Text>
              )}
              {items.map((item) => (
                <NavItemLink key={item.to} item={item} isDense={portal === 'staff'} onClick={close} />
              ))}
            </div>
          ))}
        </nav>
      </AppShell.Navbar>
      <AppShell.Main id={contentId} tabIndex={-1} style={{ outline: 'none' }}>
        <LimitedSession portal={portal}>
          {portal === 'staff' && (
            <Suspense fallback={null}>
              <InstallationAlerts />
            </Suspense>
          )}
          <Suspense fallback={<LoadingPage />}>
            {portal === 'staff' ? <Outlet /> : <PermittedPage identity={identity} />}
          </Suspense>
        </LimitedSession>
      </AppShell.Main>
      {Shortcuts !== undefined && <Shortcuts />}
      {Palette !== undefined && <Palette items={groups.flatMap(({ items }) => items)} portal={portal} />}
      {SignInAgain !== undefined && <SignInAgain key={portal} portal={portal} />}
    </AppShell>
  );
}

const contentId = 'content';

/** For the keyboard: past the navigation. The hash of the address is the page's, so that the link cannot use it. */
function SkipLink(): JSX.Element {
  return (
    <a
      href={`#${contentId}`}
      className="skip-link"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(contentId)?.focus();
      }}
    >
      {t('Skip to content')}
    </a>
  );
}

/** Says once why a person may not see a page whose address they have, rather than with an error for everything on it. */
function PermittedPage({ identity }: { identity: Identity | undefined }): JSX.Element {
  const pathname = useLocation({ select: (location) => location.pathname });
  const denial = useScopeDenial();
  const item = customerNavigation.flat().find(({ to }) => isWithin(pathname, to));
  if (item === undefined || identity?.can(item.access) !== false) return <Outlet />;
  return (
    <Page title={item.label}>
      <NoAccess reason={denial(item.access as Scope) ?? ''} />
    </Page>
  );
}

function isWithin(pathname: string, to: string): boolean {
  return pathname === to || pathname === `${to}/` || (to !== '/' && to !== '/staff' && pathname.startsWith(`${to}/`));
}

interface NavItemLinkProps {
  readonly item: NavItem;
  /** Staff have twice as many pages. */
  readonly isDense: boolean;
  readonly onClick: () => void;
}

function NavItemLink({ item, isDense, onClick }: NavItemLinkProps): JSX.Element {
  const isActive = useLocation({ select: ({ pathname }) => isWithin(pathname, item.to) });
  return (
    <NavLink
      component={Link}
      to={item.to}
      activeOptions={{ exact: item.to === '/' || item.to === '/staff' }}
      label={item.label}
      leftSection={<Icon name={item.icon} />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      onClick={onClick}
      py={isDense ? 4 : 8}
      style={{ borderRadius: 8 }}
    />
  );
}

function ConnectionLost(): JSX.Element {
  return (
    <Tooltip label={t('This page may be out of date. Reconnecting…')}>
      <Text size="sm" c="var(--mantine-color-orange-light-color)" fw={600} role="status">
        {t('Connection lost')}
      </Text>
    </Tooltip>
  );
}

function ColourSchemeButton(): JSX.Element {
  const { label, icon, run } = useSchemeSwitch();
  return (
    <ActionIcon variant="default" size="lg" onClick={run} aria-label={label}>
      <Icon name={icon} />
    </ActionIcon>
  );
}

function UserMenu({ portal, identity }: { portal: Portal; identity: Identity | undefined }): JSX.Element {
  const endSession = async (): Promise<void> => {
    try {
      await signOut(portal);
    } catch (error) {
      const message = t('You are still signed in: {error}', { error: errorText(error as Error).message });
      notifications.show({ color: 'red', title: t('Sign-out failed'), message });
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('Account menu')}>
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {identity?.name}
          <br />
          {identity?.detail}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to={portal === 'staff' ? '/staff/security' : '/security'}
          leftSection={<Icon name="key" />}
        >
          {t('Sign-in and security')}
        </Menu.Item>
        {portal === 'staff' &&
          otherLanguages().map(([language, name]) => (
            <Menu.Item
              key={language}
              lang={language}
              leftSection={<Icon name="dns" />}
              onClick={() => changeLanguage(language)}
            >
              {name}
            </Menu.Item>
          ))}
        {portal === 'customer' && (
          <Menu.Item component={Link} to="/profile" leftSection={<Icon name="edit" />}>
            {t('Profile and preferences')}
          </Menu.Item>
        )}
        {portal === 'customer' && (
          <Menu.Item component={Link} to="/privacy" leftSection={<Icon name="person" />}>
            {t('Your data')}
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<Icon name="audit" />}>
          {t('API reference')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void endSession()}>
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
