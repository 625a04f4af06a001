/**
 * The id under which one command is sent. A repeat after a lost answer carries the same one, so the server answers with what
 * it did; a command with other words is another command.
 */
import { useRef } from 'react';
import { newClientId } from '../../../shared/ids/index.ts';

export function useRepeatable(): (command: string) => string {
  const sent = useRef({ command: '', clientId: '' });
  return (command) => {
    if (sent.current.command !== command) sent.current = { command, clientId: newClientId() };
    return sent.current.clientId;
  };
}
