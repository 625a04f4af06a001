/** The audit log: its entries, their reasons, and the verification of its hash chain. */

export { type ChainHead, parseHead, verifyAuditChain } from './audit-chain.ts';
export {
  type AuditEntry,
  actorOf,
  createPseudonymizer,
  type Pseudonymize,
  recordAuditEntry,
} from './audit-log.ts';
export { parseDescription, requireReason } from './reasons.ts';
