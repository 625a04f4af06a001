/**
 * The client id of one command. A repeat after a lost answer has the same id, so that the server answers with the first result.
 * A command with other input gets a new id.
 */
import { useRef } from 'react';
import { newClientId } from '../ids/index.ts';

export function useRepeatableClientId(): (command: string) => string {
  const sent = useRef({ command: '', clientId: '' });
  return (command) => {
    if (sent.current.command !== command) sent.current = { command, clientId: newClientId() };
    return sent.current.clientId;
  };
}
