// A button that runs an action. If it is disabled, it stays focusable and explains itself.
import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import type { JSX, ReactNode } from 'react';
import { Icon, type IconName } from '../shell/icons.tsx';

export interface ActionButtonProps extends ButtonProps {
  /** Why the button is disabled; undefined if it is enabled. */
  readonly disabledReason?: string | undefined;
  readonly icon?: IconName;
  /** Small and without colour, for a row of a table. */
  readonly isInRow?: true;
  readonly onClick?: () => void;
  readonly children: ReactNode;
  readonly type?: 'button' | 'submit';
  readonly 'aria-label'?: string;
}

/** A disabled button keeps its focus, so that the reason can be read by pointer, keyboard and screen reader. */
export function ActionButton({ disabledReason, icon, isInRow, onClick, ...rest }: ActionButtonProps): JSX.Element {
  const props = {
    ...(isInRow === true && { size: 'compact-sm', variant: 'default' }),
    ...(icon !== undefined && { leftSection: <Icon name={icon} size={16} /> }),
    ...rest,
  };
  if (disabledReason === undefined) return <Button {...props} {...(onClick === undefined ? {} : { onClick })} />;
  return (
    <Tooltip label={disabledReason} events={{ hover: true, focus: true, touch: true }}>
      <Button
        {...props}
        data-disabled
        aria-disabled="true"
        aria-description={disabledReason}
        onClick={(event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
