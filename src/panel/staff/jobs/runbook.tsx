// Links to the pages that explain what to do.
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX, ReactNode } from 'react';
import { t } from '../../text/text.ts';

export function RunbookLink({ page, children }: { page: string; children: ReactNode }): JSX.Element {
  return (
    <Anchor component={Link} to="/staff/runbook/$page" params={{ page } as never} inherit>
      {children}
    </Anchor>
  );
}

export function Runbook({ page }: { page: string }): JSX.Element {
  return (
    <Text size="sm" component="div">
      <RunbookLink page={page}>{t('Open the runbook')}</RunbookLink>
    </Text>
  );
}
