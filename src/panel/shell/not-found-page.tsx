// Shown for an unknown address, with a way back.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { usePortal } from '../data/session.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';

export function NotFoundPage(): JSX.Element {
  const isStaff = usePortal() === 'staff';
  return (
    <Page title="Page not found">
      <EmptyCard icon="search" title="There is nothing at this address">
        The page may have been removed, or the address may be wrong.
        <br />
        <Anchor component={Link} to={isStaff ? '/staff' : '/'} underline="always">
          {isStaff ? 'Go to the fleet' : 'Go to the overview'}
        </Anchor>
      </EmptyCard>
    </Page>
  );
}
