// Shown for an unknown address, with a way back.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { usePortal } from '../data/session.ts';
import { Page } from '../parts/page.tsx';
import { EmptyCard } from '../parts/query-result.tsx';
import { t } from '../text/text.ts';

export function NotFoundPage(): JSX.Element {
  const isStaff = usePortal() === 'staff';
  return (
    <Page title={t('Page not found')}>
      <EmptyCard icon="search" title={t('There is nothing at this address')}>
        {t('The page may have been removed, or the address may be wrong.')}
        <br />
        <Anchor component={Link} to={isStaff ? '/staff' : '/'} underline="always">
          {isStaff ? t('Go to the fleet') : t('Go to the overview')}
        </Anchor>
      </EmptyCard>
    </Page>
  );
}
