// What is around every page: where one can go, the palette, who is signed in, and whether the page is still current.
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Divider,
  Group,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  useMantineColorScheme,
  useComputedColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type JSX } from 'react';
import { queries } from '../data/queries.ts';
import { useLive } from '../data/live.ts';
import { customer, signOut, staff, useSession, type SignedIn } from '../data/session.ts';
import { useWho, type Who } from '../data/who.ts';
import { Awaited } from '../parts/answer.tsx';
import mark from '../mark.svg';
import { Icon } from './icons.tsx';
import { customerPlaces, staffPlaces, type Place } from './places.ts';
import { SignInAgain } from './sign-in-again.tsx';

/** Fetched beside the page, not before it. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

export function Layout(): JSX.Element | null {
  const session = useSession();
  const navigate = useNavigate();
  useEffect(() => {
    if (session === undefined) void navigate({ to: '/sign-in' });
  }, [session, navigate]);
  return session === undefined ? null : <Shell session={session} />;
}

function Shell({ session }: { session: SignedIn }): JSX.Element {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const connection = useLive();
  const who = useWho();
  const groups = (session.face === 'staff' ? staffPlaces : customerPlaces)
    .map((places) => places.filter(({ access }) => who?.may(access) === true))
    .filter((places) => places.length > 0);
  useHotkeys([['/', () => spotlight.open()]]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to={session.face === 'staff' ? '/staff' : '/'} className="plain">
              <Group gap={8} wrap="nowrap">
                <img src={mark} width={24} height={24} alt="" />
                <Text fw={700}>Hostyard</Text>
                {session.face === 'staff' && (
                  <Text c="dimmed" size="sm">
                    staff
                  </Text>
                )}
              </Group>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            {connection === 'lost' && <Lost />}
            <Button
              variant="default"
              size="xs"
              leftSection={<Icon name="search" size={16} />}
              onClick={spotlight.open}
              visibleFrom="sm"
            >
              Search&ensp;<Kbd size="xs">/</Kbd>
            </Button>
            <ActionIcon variant="default" size="lg" onClick={spotlight.open} hiddenFrom="sm" aria-label="Search">
              <Icon name="search" />
            </ActionIcon>
            <ColourScheme />
            <PersonMenu session={session} who={who} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <ScrollArea component="nav" aria-label="Pages">
          {groups.map((places, index) => (
            <div key={places[0]!.to}>
              {index > 0 && <Divider my={6} />}
              {places.map((place) => (
                <PlaceLink key={place.to} place={place} onClick={close} />
              ))}
            </div>
          ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main maw={1400}>
        <Suspense fallback={<Awaited lines={8} />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Suspense fallback={null}>
        <Palette places={groups.flat()} face={session.face} />
      </Suspense>
      <SignInAgain face={session.face} />
    </AppShell>
  );
}

function PlaceLink({ place, onClick }: { place: Place; onClick: () => void }): JSX.Element {
  const { pathname } = useLocation();
  const isRoot = place.to === '/' || place.to === '/staff';
  const isHere = isRoot ? pathname === place.to || pathname === `${place.to}/` : pathname.startsWith(place.to);
  return (
    <NavLink
      component={Link}
      to={place.to}
      activeOptions={{ exact: isRoot }}
      label={place.label}
      leftSection={<Icon name={place.icon} />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      onClick={onClick}
      style={{ borderRadius: 8 }}
    />
  );
}

function Lost(): JSX.Element {
  return (
    <Tooltip label="What you see may be old. The connection is being tried again.">
      <Text size="sm" c="var(--mantine-color-orange-light-color)" fw={600} role="status">
        Connection lost
      </Text>
    </Tooltip>
  );
}

function ColourScheme(): JSX.Element {
  const { setColorScheme } = useMantineColorScheme();
  const now = useComputedColorScheme('light');
  const next = now === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon variant="default" size="lg" onClick={() => setColorScheme(next)} aria-label={`Switch to ${next}`}>
      <Icon name={now === 'dark' ? 'sun' : 'moon'} />
    </ActionIcon>
  );
}

function PersonMenu({ session, who }: { session: SignedIn; who: Who | undefined }): JSX.Element {
  const leave = async (): Promise<void> => {
    // A key that did not come from signing in stays what it is; this browser forgets it all the same.
    await (session.face === 'staff' ? staff().sessionDelete() : customer().sessionDelete()).catch(() => undefined);
    signOut();
    queries.clear();
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="You">
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {who?.name}
          <br />
          {who?.detail}
        </Menu.Label>
        <Menu.Item
          component={Link}
          to={session.face === 'staff' ? '/staff/security' : '/security'}
          leftSection={<Icon name="key" />}
        >
          Sign-in and security
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<Icon name="audit" />}>
          API reference
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="out" />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
