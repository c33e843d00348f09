// Leads to the order form, if there is something to order.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { useRead } from '../../data/operations.ts';
import { Icon } from '../../shell/icons.tsx';
import { t } from '../../text/text.ts';

export function NewMachineLink(): JSX.Element | null {
  const options = useRead('machineOptions', {});
  if ((options.data?.plans ?? []).length === 0) return null;
  return (
    <Button component={Link} to="/servers/new" leftSection={<Icon name="plus" size={16} />}>
      {t('New machine')}
    </Button>
  );
}
