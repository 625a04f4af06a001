/**
 * Written by `npm run generate` from the contract's tables and procedures; a test holds it to them. Do not edit.
 */
/** Any JSON value: what a jsonb column holds. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  /** The grammar of `/rest/v1` is that of PostgREST 12. */
  __InternalSupabase: { PostgrestVersion: '12' };
  public: {
    Tables: {
      users: {
        Row: {
          id: string;
          email: string;
          username: string;
          role: 'trader' | 'manager' | 'support' | 'admin';
          phone_number: string | null;
          created_at: string;
          last_login: string | null;
          manager_id: string | null;
          kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
          kyc_verified_at: string | null;
          restricted_at: string | null;
        };
        Insert: {
          id?: string;
          email?: string;
          username?: string;
          role?: 'trader' | 'manager' | 'support' | 'admin';
          phone_number?: string | null;
          last_login?: string | null;
        };
        Update: {
          last_login?: string | null;
          kyc_status?: 'unverified' | 'pending' | 'verified' | 'rejected';
          kyc_verified_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'users_manager_id_fkey';
            columns: ['manager_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      trading_accounts: {
        Row: {
          id: string;
          owner_id: string;
          kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          name: string;
          rules: 'standard' | 'as-specified' | 'perpetual' | null;
          leverage_max: number | null;
          fee_rate: number | null;
          fill_profile: string;
          start_balance: number | null;
          status: 'active' | 'archived';
          created_at: string;
          updated_at: string;
          archived_at: string | null;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      wallets: {
        Row: {
          id: string;
          user_id: string;
          balance: number;
          available_balance: number;
          currency: string;
          last_updated: string;
          version: number;
        };
        Insert: {
          user_id?: string;
          balance?: number;
          available_balance?: number;
          currency?: string;
        };
        Update: { [_ in never]: never };
        Relationships: [
          {
            foreignKeyName: 'wallets_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      positions: {
        Row: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
        Insert: { [_ in never]: never };
        Update: {
          side?: 'BUY' | 'SELL';
          entry_price?: number;
          size?: number;
          leverage?: number;
          liquidation_price?: number;
          close_price?: number | null;
          realized_pnl?: number | null;
          created_at?: string;
          closed_at?: string | null;
          version?: number;
          reason?: string | null;
          client_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'positions_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      orders: {
        Row: {
          id: string;
          user_id: string;
          symbol: string;
          type: 'MARKET' | 'LIMIT' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET';
          side: 'BUY' | 'SELL';
          price: number | null;
          size: number;
          leverage: number;
          status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'REJECTED' | 'CANCELED' | 'EXPIRED';
          reason: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          reserved: number;
          position_id: string | null;
          client_id: string | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          created_at: string;
          updated_at: string;
          version: number;
          account_version: number;
          time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
          reduce_only: boolean;
          filled_size: number;
          filled_value: number;
          trigger_price: number | null;
          trail_rate: number | null;
          peak_price: number | null;
          close_position: boolean;
          triggered_at: string | null;
          expires_at: string | null;
          due_at: string | null;
          bound_position_id: string | null;
        };
        Insert: {
          user_id?: string;
          symbol?: string;
          type?: 'MARKET' | 'LIMIT' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET';
          side?: 'BUY' | 'SELL';
          price?: number | null;
          size?: number;
          leverage?: number;
          status?: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'REJECTED' | 'CANCELED' | 'EXPIRED';
          take_profit_price?: number | null;
          stop_loss_price?: number | null;
          client_id?: string | null;
          time_in_force?: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
          reduce_only?: boolean;
          trigger_price?: number | null;
          trail_rate?: number | null;
          close_position?: boolean;
          expires_at?: string | null;
          bound_position_id?: string | null;
          quote_id?: string | null;
        };
        Update: {
          status?: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'REJECTED' | 'CANCELED' | 'EXPIRED';
        };
        Relationships: [
          {
            foreignKeyName: 'orders_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      transactions: {
        Row: {
          id: string;
          user_id: string;
          wallet_id: string | null;
          type: 'deposit' | 'withdrawal' | 'position_closed' | 'fee' | 'funding' | 'financing';
          amount: number;
          status: 'completed' | 'pending';
          created_at: string;
          completed_at: string | null;
          description: string | null;
        };
        Insert: {
          user_id?: string;
          wallet_id?: string | null;
          type?: 'deposit' | 'withdrawal' | 'position_closed' | 'fee' | 'funding' | 'financing';
          amount?: number;
          status?: 'completed' | 'pending';
          completed_at?: string | null;
          description?: string | null;
          reason?: string | null;
          client_id?: string | null;
        };
        Update: { [_ in never]: never };
        Relationships: [
          {
            foreignKeyName: 'transactions_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      notifications: {
        Row: {
          id: string;
          user_id: string;
          kind: string;
          message: string;
          symbol: string | null;
          position_id: string | null;
          order_id: string | null;
          created_at: string;
          read_at: string | null;
        };
        Insert: { [_ in never]: never };
        Update: {
          read_at?: string | null;
        };
        Relationships: [];
      };
      alerts: {
        Row: {
          id: string;
          user_id: string;
          kind: 'price' | 'change' | 'roe' | 'liquidation';
          symbol: string;
          position_id: string | null;
          level: number;
          direction: 'rises' | 'falls';
          window_minutes: number | null;
          repeats: boolean;
          state: 'armed' | 'paused' | 'fired' | 'ended';
          crossings: number;
          fired_at: string | null;
          fired_price: number | null;
          created_at: string;
          updated_at: string;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      equity_snapshots: {
        Row: {
          user_id: string;
          at: string;
          balance: number;
          equity: number;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      executions: {
        Row: {
          id: string;
          user_id: string;
          order_id: string | null;
          position_id: string;
          flipped_from: string | null;
          symbol: string;
          side: 'BUY' | 'SELL';
          size: number;
          value: number;
          price: number;
          mid: number;
          quote_id: string | null;
          liquidity: 'taker' | 'maker';
          fee: number;
          spread_cost: number;
          impact_cost: number;
          latency_cost: number;
          realized_pnl: number | null;
          created_at: string;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [
          {
            foreignKeyName: 'executions_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      symbol_leverages: {
        Row: {
          user_id: string;
          symbol: string;
          leverage: number;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      trading_pairs: {
        Row: {
          id: string;
          symbol: string;
          name: string;
          nickname: string | null;
          type: 'crypto' | 'stock' | 'forex' | 'commodity' | 'index';
          base_asset: string;
          quote_asset: string;
          min_price: number;
          max_price: number;
          tick_size: number;
          min_qty: number;
          max_qty: number;
          step_size: number;
          trading_hours: string;
          sort_order: number;
          price: number | null;
          price_change_percent: number | null;
          volume: number | null;
          quote_volume: number | null;
          high_24h: number | null;
          low_24h: number | null;
          source: 'simulated' | 'replay' | 'binance' | 'yahoo' | null;
          state: 'closed' | 'stale' | 'delayed' | 'live' | 'replay' | 'simulated' | null;
          priced_at: string | null;
          market_open: boolean;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      favorites: {
        Row: {
          user_id: string;
          symbol: string;
          created_at: string;
        };
        Insert: {
          user_id?: string;
          symbol: string;
        };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      user_settings: {
        Row: {
          user_id: string;
          key: 'layout' | 'watchlists' | 'ticket' | 'shortcuts' | 'columns' | 'users-views' | 'coach' | 'mails';
          value: Json;
          updated_at: string;
        };
        Insert: {
          user_id?: string;
          key: 'layout' | 'watchlists' | 'ticket' | 'shortcuts' | 'columns' | 'users-views' | 'coach' | 'mails';
          value: Json;
        };
        Update: {
          value?: Json;
        };
        Relationships: [];
      };
      journal_entries: {
        Row: {
          id: string;
          user_id: string;
          title: string;
          content: string;
          tags: string[];
          created_at: string;
          updated_at: string;
          position_id: string | null;
        };
        Insert: {
          id?: string;
          user_id?: string;
          title: string;
          content: string;
          tags?: string[];
          created_at?: string;
          position_id?: string | null;
        };
        Update: {
          title?: string;
          content?: string;
          tags?: string[];
          position_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'journal_entries_position_id_fkey';
            columns: ['position_id'];
            isOneToOne: false;
            referencedRelation: 'positions';
            referencedColumns: ['id'];
          },
        ];
      };
      playbook_trades: {
        Row: {
          user_id: string;
          position_id: string;
          playbook_id: string;
          met: string[];
          unmet: string[];
          updated_at: string;
        };
        Insert: {
          user_id?: string;
          position_id: string;
          playbook_id: string;
          met?: string[];
          unmet?: string[];
        };
        Update: {
          playbook_id?: string;
          met?: string[];
          unmet?: string[];
        };
        Relationships: [
          {
            foreignKeyName: 'playbook_trades_playbook_id_fkey';
            columns: ['playbook_id'];
            isOneToOne: false;
            referencedRelation: 'playbooks';
            referencedColumns: ['id'];
          },
        ];
      };
      playbooks: {
        Row: {
          id: string;
          user_id: string;
          name: string;
          criteria: string[];
          created_at: string;
          updated_at: string;
        };
        Insert: {
          id?: string;
          user_id?: string;
          name: string;
          criteria?: string[];
        };
        Update: {
          name?: string;
          criteria?: string[];
        };
        Relationships: [];
      };
      kyc_verifications: {
        Row: {
          id: string;
          user_id: string;
          attempt: number;
          first_name: string;
          last_name: string;
          date_of_birth: string;
          country: string;
          address: string;
          city: string;
          postal_code: string;
          document_type: 'passport' | 'id_card' | 'drivers_license';
          document_number: string;
          document_front_url: string;
          document_back_url: string;
          selfie_url: string;
          status: 'pending' | 'approved' | 'rejected';
          submitted_at: string;
          reviewed_at: string | null;
          reject_type: 'retry' | 'final' | null;
          reasons: Json;
          reviewer_id: string | null;
          private_note: string | null;
          version: number;
        };
        Insert: {
          user_id?: string;
          first_name?: string;
          last_name?: string;
          date_of_birth?: string;
          country?: string;
          address?: string;
          city?: string;
          postal_code?: string;
          document_type?: 'passport' | 'id_card' | 'drivers_license';
          document_number?: string;
          document_front_url?: string;
          document_back_url?: string;
          selfie_url?: string;
          status?: 'pending' | 'approved' | 'rejected';
          submitted_at?: string;
          client_id?: string | null;
        };
        Update: {
          status?: 'pending' | 'approved' | 'rejected';
          reviewed_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'kyc_verifications_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'kyc_verifications_reviewer_id_fkey';
            columns: ['reviewer_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      chat_sessions: {
        Row: {
          id: string;
          user_id: string;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          support_id: string | null;
          last_seq: number;
          version: number;
          trader_seen_seq: number;
          trader_seen_at: string | null;
          support_seen_seq: number;
          unread_count: number;
          trader_unread_count: number;
          waiting_since: string | null;
          last_message: string | null;
          last_message_at: string | null;
          last_sender_role: 'trader' | 'support' | null;
          last_agent_id: string | null;
          rating: number | null;
          rating_comment: string | null;
          rated_at: string | null;
          assigned_to: string | null;
        };
        Insert: {
          user_id?: string;
          status?: 'open' | 'closed';
        };
        Update: {
          status?: 'open' | 'closed';
          updated_at?: string;
          closed_at?: string | null;
          support_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'chat_sessions_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'chat_sessions_support_id_fkey';
            columns: ['support_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      chat_messages: {
        Row: {
          id: string;
          session_id: string;
          user_id: string;
          seq: number;
          sender_id: string | null;
          sender_role: 'trader' | 'support';
          sender_name: string | null;
          content: string;
          created_at: string;
          read_at: string | null;
          client_id: string | null;
          attachment_id: string | null;
        };
        Insert: {
          session_id?: string;
          sender_id?: string | null;
          content?: string;
          read_at?: string | null;
          client_id?: string | null;
          attachment_id?: string | null;
        };
        Update: {
          read_at?: string | null;
        };
        Relationships: [];
      };
      chat_notes: {
        Row: {
          id: string;
          session_id: string;
          author_id: string;
          author_name: string | null;
          content: string;
          after_seq: number;
          created_at: string;
        };
        Insert: {
          id?: string;
          session_id: string;
          author_id?: string;
          content: string;
        };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      chat_triage: {
        Row: {
          session_id: string;
          user_id: string;
          tags: string[];
          snoozed_until: string | null;
          is_open: boolean;
          updated_at: string;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      chat_mentions: {
        Row: {
          id: string;
          note_id: string;
          session_id: string;
          agent_id: string;
          created_at: string;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      canned_replies: {
        Row: {
          id: string;
          user_id: string;
          shortcut: string;
          content: string;
          updated_at: string;
        };
        Insert: {
          id?: string;
          user_id?: string;
          shortcut: string;
          content: string;
        };
        Update: {
          shortcut?: string;
          content?: string;
        };
        Relationships: [];
      };
      support_details: {
        Row: {
          user_id: string;
          status: 'available' | 'busy' | 'offline';
          level: string;
          department: string;
          workingHours: Json;
          specializations: string[];
        };
        Insert: { [_ in never]: never };
        Update: {
          status?: 'available' | 'busy' | 'offline';
        };
        Relationships: [
          {
            foreignKeyName: 'support_details_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      support_metrics: {
        Row: {
          date: string;
          totalSessions: number;
          averageResponseTime: number | null;
          resolutionRate: number | null;
          customerSatisfaction: number | null;
          activeChats: number;
          dailyInteractions: number;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [];
      };
      contact_forms: {
        Row: {
          id: string;
          name: string;
          email: string;
          subject: string;
          message: string;
          status: 'new' | 'read' | 'replied' | 'archived';
          created_at: string;
          updated_at: string;
          user_id: string | null;
          reply: string | null;
          replied_by: string | null;
          replied_at: string | null;
          version: number;
        };
        Insert: {
          name?: string;
          email?: string;
          subject?: string;
          message?: string;
          status?: 'new' | 'read' | 'replied' | 'archived';
          website?: string | null;
          client_id?: string | null;
        };
        Update: {
          status?: 'new' | 'read' | 'replied' | 'archived';
        };
        Relationships: [
          {
            foreignKeyName: 'contact_forms_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      ledger_entries: {
        Row: {
          id: number;
          group_id: string;
          account: 'user:cash' | 'user:margin' | 'user:order_margin' | 'house:pnl' | 'house:fees' | 'house:funding' | 'external' | 'insurance';
          user_id: string | null;
          amount: number;
          kind: 'deposit' | 'withdrawal' | 'open' | 'close' | 'adjustment' | 'fee' | 'reserve' | 'release' | 'split' | 'increase' | 'margin' | 'funding' | 'financing';
          source_id: string;
          created_at: string;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [
          {
            foreignKeyName: 'ledger_entries_user_id_fkey';
            columns: ['user_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
      audit_log: {
        Row: {
          id: number;
          at: string;
          actor_id: string | null;
          on_behalf_of: string | null;
          subject_id: string | null;
          action: string;
          object_id: string | null;
          reason: string | null;
          request_id: string | null;
          detail: Json;
          seq: number;
          hash: string;
        };
        Insert: { [_ in never]: never };
        Update: { [_ in never]: never };
        Relationships: [
          {
            foreignKeyName: 'audit_log_actor_id_fkey';
            columns: ['actor_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'audit_log_on_behalf_of_fkey';
            columns: ['on_behalf_of'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'audit_log_subject_id_fkey';
            columns: ['subject_id'];
            isOneToOne: false;
            referencedRelation: 'users';
            referencedColumns: ['id'];
          },
        ];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      open_position: {
        Args: {
          p_user_id?: string;
          p_symbol: string;
          p_side: string;
          p_entry_price?: number | string | null;
          p_size: number | string;
          p_leverage: number;
          p_required_margin?: number | string | null;
          p_take_profit_price?: number | string | null;
          p_stop_loss_price?: number | string | null;
          p_reduce_only?: boolean;
          p_quote_id?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
      };
      close_position: {
        Args: {
          p_position_id: string;
          p_close_price?: number | string | null;
          p_realized_pnl?: number | string | null;
          p_size?: number | string | null;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
      };
      close_at_reopen: {
        Args: {
          p_position_id: string;
          p_wanted: boolean;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
      };
      set_take_profit_stop_loss: {
        Args: {
          p_position_id: string;
          p_take_profit_price?: number | string | null;
          p_stop_loss_price?: number | string | null;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
      };
      amend_order: {
        Args: {
          p_order_id: string;
          p_price: number | string;
          p_trigger_price?: number | string | null;
          p_size?: number | string | null;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          type: 'MARKET' | 'LIMIT' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET';
          side: 'BUY' | 'SELL';
          price: number | null;
          size: number;
          leverage: number;
          status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'REJECTED' | 'CANCELED' | 'EXPIRED';
          reason: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          reserved: number;
          position_id: string | null;
          client_id: string | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          created_at: string;
          updated_at: string;
          version: number;
          account_version: number;
          time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
          reduce_only: boolean;
          filled_size: number;
          filled_value: number;
          trigger_price: number | null;
          trail_rate: number | null;
          peak_price: number | null;
          close_position: boolean;
          triggered_at: string | null;
          expires_at: string | null;
          due_at: string | null;
          bound_position_id: string | null;
        };
      };
      reverse_position: {
        Args: {
          p_position_id: string;
          p_expected_price?: number | string | null;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
      };
      set_leverage: {
        Args: {
          p_symbol: string;
          p_leverage: number;
          p_client_id?: string | null;
        };
        Returns: {
          symbol: string;
          leverage: number;
        };
      };
      adjust_margin: {
        Args: {
          p_position_id: string;
          p_amount: number | string;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          entry_price: number;
          size: number;
          leverage: number;
          margin: number;
          liquidation_price: number;
          mark_price: number | null;
          unrealized_pnl: number | null;
          close_price: number | null;
          realized_pnl: number | null;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          take_profit_price: number | null;
          stop_loss_price: number | null;
          close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
          close_price_source: 'live' | 'mark' | 'entry' | null;
          rules: 'standard' | 'as-specified' | 'perpetual';
          version: number;
          account_version: number;
          initial_stop_loss_price: number | null;
          fee_rate: number;
          fees: number;
          split_from: string | null;
          edited_at: string | null;
          close_at_reopen: boolean;
          entry_value: number | null;
          funding: number;
        };
      };
      get_book: {
        Args: {
          p_symbol: string;
          p_quote_id?: string | null;
        };
        Returns: {
          symbol: string;
          quote_id: string;
          source: 'live' | 'live_best' | 'modelled';
          mid: number;
          priced_at: string;
          bids: {
            price: number;
            size: number;
          }[];
          asks: {
            price: number;
            size: number;
          }[];
          trades: {
            price: number;
            size: number;
            side: 'BUY' | 'SELL';
            traded_at: string;
          }[];
          trades_source: 'live' | 'modelled';
        };
      };
      reset_account: {
        Args: {
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          balance: number;
          available_balance: number;
          currency: 'USDT';
          last_updated: string;
          version: number;
        };
      };
      create_account: {
        Args: {
          p_client_id?: string | null;
          p_name: string;
          p_start_balance?: number | string | null;
          p_leverage_max?: number | null;
          p_fee_rate?: number | string | null;
          p_rules?: 'standard' | 'as-specified' | 'perpetual' | null;
          p_fill_profile?: 'ideal' | 'retail' | 'pro' | 'stress' | null;
        };
        Returns: {
          id: string;
          owner_id: string;
          kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          name: string;
          rules: 'standard' | 'as-specified' | 'perpetual' | null;
          leverage_max: number | null;
          fee_rate: number | null;
          fill_profile: string;
          start_balance: number | null;
          status: 'active' | 'archived';
          created_at: string;
          updated_at: string;
          archived_at: string | null;
        };
      };
      rename_account: {
        Args: {
          p_account_id: string;
          p_name: string;
        };
        Returns: {
          id: string;
          owner_id: string;
          kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          name: string;
          rules: 'standard' | 'as-specified' | 'perpetual' | null;
          leverage_max: number | null;
          fee_rate: number | null;
          fill_profile: string;
          start_balance: number | null;
          status: 'active' | 'archived';
          created_at: string;
          updated_at: string;
          archived_at: string | null;
        };
      };
      archive_account: {
        Args: {
          p_account_id: string;
        };
        Returns: {
          id: string;
          owner_id: string;
          kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          name: string;
          rules: 'standard' | 'as-specified' | 'perpetual' | null;
          leverage_max: number | null;
          fee_rate: number | null;
          fill_profile: string;
          start_balance: number | null;
          status: 'active' | 'archived';
          created_at: string;
          updated_at: string;
          archived_at: string | null;
        };
      };
      account_token: {
        Args: {
          p_account_id: string;
        };
        Returns: {
          access_token: string;
          expires_in: number;
          expires_at: number;
          account_id: string;
        };
      };
      list_accounts: {
        Args: {
          p_user_id?: string | null;
        };
        Returns: {
          id: string;
          owner_id: string;
          kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          name: string;
          rules: 'standard' | 'as-specified' | 'perpetual' | null;
          leverage_max: number | null;
          fee_rate: number | null;
          fill_profile: string;
          start_balance: number | null;
          status: 'active' | 'archived';
          created_at: string;
          updated_at: string;
          archived_at: string | null;
          balance: number;
          available_balance: number;
          equity: number;
          open_positions: number;
          waiting_orders: number;
        }[];
      };
      get_own_limits: {
        Args: Record<string, never>;
        Returns: {
          daily_loss: number | null;
          daily_loss_percent: number | null;
          trades_max: number | null;
          cool_down_minutes: number | null;
          waiting: {
            daily_loss: number | null;
            daily_loss_percent: number | null;
            trades_max: number | null;
            cool_down_minutes: number | null;
            from: string;
          } | null;
          day: {
            since: string;
            first_equity: number;
            paid: number;
            loss: number;
            loss_max: number | null;
            trades: number;
            cool_down_until: string | null;
          } | null;
        };
      };
      set_own_limits: {
        Args: {
          p_daily_loss?: number | string | null;
          p_daily_loss_percent?: number | string | null;
          p_trades_max?: number | null;
          p_cool_down_minutes?: number | null;
        };
        Returns: {
          daily_loss: number | null;
          daily_loss_percent: number | null;
          trades_max: number | null;
          cool_down_minutes: number | null;
          waiting: {
            daily_loss: number | null;
            daily_loss_percent: number | null;
            trades_max: number | null;
            cool_down_minutes: number | null;
            from: string;
          } | null;
          day: {
            since: string;
            first_equity: number;
            paid: number;
            loss: number;
            loss_max: number | null;
            trades: number;
            cool_down_until: string | null;
          } | null;
        };
      };
      create_api_key: {
        Args: {
          p_name: string;
          p_scopes: ('read' | 'trade')[];
          p_account_id: string;
          p_addresses?: string[] | null;
          p_expires_at?: string | null;
        };
        Returns: {
          id: string;
          name: string;
          account_id: string;
          account_name: string;
          account_kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          key_start: string;
          scopes: ('read' | 'trade')[];
          addresses: string[];
          created_at: string;
          expires_at: string | null;
          last_used_at: string | null;
          last_used_address: string | null;
          revoked_at: string | null;
          api_key: string;
          secret: string;
        };
      };
      list_api_keys: {
        Args: {
          p_user_id?: string | null;
        };
        Returns: {
          id: string;
          name: string;
          account_id: string;
          account_name: string;
          account_kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          key_start: string;
          scopes: ('read' | 'trade')[];
          addresses: string[];
          created_at: string;
          expires_at: string | null;
          last_used_at: string | null;
          last_used_address: string | null;
          revoked_at: string | null;
        }[];
      };
      revoke_api_key: {
        Args: {
          p_key_id: string;
          p_reason?: string | null;
        };
        Returns: {
          id: string;
          name: string;
          account_id: string;
          account_name: string;
          account_kind: 'main' | 'practice' | 'class' | 'contest' | 'challenge';
          key_start: string;
          scopes: ('read' | 'trade')[];
          addresses: string[];
          created_at: string;
          expires_at: string | null;
          last_used_at: string | null;
          last_used_address: string | null;
          revoked_at: string | null;
        };
      };
      create_alert: {
        Args: {
          p_id?: string | null;
          p_kind: 'price' | 'change' | 'roe' | 'liquidation';
          p_symbol?: string | null;
          p_position_id?: string | null;
          p_level: number | string;
          p_direction?: 'rises' | 'falls' | null;
          p_window_minutes?: number | null;
          p_repeats?: boolean | null;
        };
        Returns: {
          id: string;
          user_id: string;
          kind: 'price' | 'change' | 'roe' | 'liquidation';
          symbol: string;
          position_id: string | null;
          level: number;
          direction: 'rises' | 'falls';
          window_minutes: number | null;
          repeats: boolean;
          state: 'armed' | 'paused' | 'fired' | 'ended';
          crossings: number;
          fired_at: string | null;
          fired_price: number | null;
          created_at: string;
          updated_at: string;
        };
      };
      change_alert: {
        Args: {
          p_alert_id: string;
          p_level?: number | string | null;
          p_direction?: 'rises' | 'falls' | null;
          p_window_minutes?: number | null;
          p_repeats?: boolean | null;
          p_paused?: boolean | null;
        };
        Returns: {
          id: string;
          user_id: string;
          kind: 'price' | 'change' | 'roe' | 'liquidation';
          symbol: string;
          position_id: string | null;
          level: number;
          direction: 'rises' | 'falls';
          window_minutes: number | null;
          repeats: boolean;
          state: 'armed' | 'paused' | 'fired' | 'ended';
          crossings: number;
          fired_at: string | null;
          fired_price: number | null;
          created_at: string;
          updated_at: string;
        };
      };
      delete_alert: {
        Args: {
          p_alert_id: string;
        };
        Returns: {
          deleted: boolean;
        };
      };
      adjust_wallet_balance: {
        Args: {
          p_user_id: string;
          p_account_id?: string | null;
          p_amount: number | string;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          balance: number;
          available_balance: number;
          currency: 'USDT';
          last_updated: string;
          version: number;
          transaction_id: string;
        };
      };
      restrict_user: {
        Args: {
          p_user_id: string;
          p_restricted: boolean;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          user_id: string;
          restricted: boolean;
          orders_canceled: number;
        };
      };
      delete_user_with_data: {
        Args: {
          p_user_id: string;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          user_id: string;
        };
      };
      accept_price: {
        Args: {
          p_symbol: string;
          p_reason?: string | null;
          p_price?: number | null;
        };
        Returns: {
          symbol: string;
          price: number;
        };
      };
      reject_price: {
        Args: {
          p_symbol: string;
          p_reason?: string | null;
          p_price?: number | null;
        };
        Returns: {
          symbol: string;
          price: number;
        };
      };
      get_market_controls: {
        Args: Record<string, never>;
        Returns: {
          holds: {
            symbol: string;
            kind: 'jump' | 'source';
            price: number;
            source: 'simulated' | 'replay' | 'binance' | 'yahoo';
            last_price: number;
            last_source: 'simulated' | 'replay' | 'binance' | 'yahoo';
            since: string;
          }[];
          replay: {
            paused: boolean;
            speed: number;
            actual_speed: number;
            loop: boolean;
            position_s: number;
            begin_s: number;
            end_s: number;
            jump: {
              symbol: string;
              price: number;
              last_price: number;
              at: string;
              text: string;
            } | null;
          } | null;
          shocks: {
            symbol: string;
            percent: number;
            half_life_minutes: number | null;
            at: string;
          }[];
        };
      };
      set_replay: {
        Args: {
          p_paused?: boolean | null;
          p_speed?: number | null;
          p_jump?: 'gap' | 'without' | null;
          p_symbol?: string | null;
          p_at?: string | null;
          p_reason?: string | null;
        };
        Returns: {
          paused: boolean;
          speed: number;
        };
      };
      shock_price: {
        Args: {
          p_symbol: string;
          p_percent: number;
          p_half_life_minutes?: number | null;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          symbol: string;
          percent: number;
          at: string;
        };
      };
      get_platform: {
        Args: Record<string, never>;
        Returns: {
          feeds: {
            source: 'simulated' | 'replay' | 'binance' | 'yahoo';
            state: 'live' | 'simulated' | 'replay' | 'stale' | 'down' | 'idle';
            symbols: number;
            stale_symbols: number;
            last_tick_at: string | null;
            ticks: number[];
            trouble: string | null;
          }[];
          engine: {
            state: 'trading' | 'halted';
            halt: {
              reason: string;
              at: string;
              by: string | null;
            } | null;
            queued: number;
            open_positions: number;
            waiting_orders: number;
            batches: number;
            commands: number;
          };
          invariants: {
            number: number;
            name: string;
            ok: boolean;
            detail: string;
          }[];
          checked_at: string | null;
          full_checked_at: string | null;
          backup: {
            last_at: string | null;
            trouble: string | null;
          } | null;
          processes: {
            id: string;
            name: string;
            roles: string[];
            duties: string[];
            version: string;
            started_at: string;
            slots: number;
            queued: number;
            sockets: number;
            silent: boolean;
          }[] | null;
          simulated: boolean;
          at: string;
        };
      };
      halt_trading: {
        Args: {
          p_reason?: string | null;
        };
        Returns: {
          halted: boolean;
          at: string;
        };
      };
      resume_trading: {
        Args: {
          p_reason?: string | null;
        };
        Returns: {
          halted: boolean;
          at: string;
        };
      };
      list_users: {
        Args: {
          p_search?: string | null;
          p_roles?: ('trader' | 'manager' | 'support' | 'admin')[] | null;
          p_kyc?: ('unverified' | 'pending' | 'verified' | 'rejected')[] | null;
          p_managers?: (string | 'none')[] | null;
          p_restricted?: boolean | null;
          p_sort?: 'username' | 'email' | 'role' | 'manager' | 'created_at' | 'last_login' | null;
          p_ascending?: boolean | null;
          p_page?: number | null;
          p_page_size?: number | null;
        };
        Returns: {
          total: number;
          users: {
            id: string;
            email: string;
            username: string;
            role: 'trader' | 'manager' | 'support' | 'admin';
            phone_number: string | null;
            created_at: string;
            last_login: string | null;
            manager_id: string | null;
            kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
            kyc_verified_at: string | null;
            restricted_at: string | null;
            manager: {
              id: string;
              username: string;
            } | null;
            wallet: {
              balance: number;
              available_balance: number;
            } | null;
          }[];
          facets: {
            roles: {
              trader: number;
              manager: number;
              support: number;
              admin: number;
            };
            kyc: {
              unverified: number;
              pending: number;
              verified: number;
              rejected: number;
            };
            managers: {
              id: string | 'none';
              username: string | null;
              users: number;
            }[];
            restricted: {
              yes: number;
              no: number;
            };
          };
        };
      };
      quick_search: {
        Args: {
          p_text?: string | null;
          p_user_ids?: string[] | null;
        };
        Returns: {
          users: {
            id: string;
            username: string;
            email: string;
            role: 'trader' | 'manager' | 'support' | 'admin';
            kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
            restricted_at: string | null;
            manager: string | null;
            chat_session_id: string | null;
          }[];
          positions: {
            id: string;
            user_id: string;
            username: string;
            symbol: string;
            side: 'BUY' | 'SELL';
            status: 'open' | 'closed';
            at: string;
          }[];
          chats: {
            id: string;
            user_id: string;
            username: string;
            status: 'open' | 'closed';
            created_at: string;
          }[];
          messages: {
            id: string;
            name: string;
            subject: string;
            status: 'new' | 'read' | 'replied' | 'archived';
            created_at: string;
          }[];
        };
      };
      find_user_ids: {
        Args: {
          p_search?: string | null;
          p_roles?: ('trader' | 'manager' | 'support' | 'admin')[] | null;
          p_kyc?: ('unverified' | 'pending' | 'verified' | 'rejected')[] | null;
          p_managers?: (string | 'none')[] | null;
          p_restricted?: boolean | null;
        };
        Returns: {
          total: number;
          ids: string[];
        };
      };
      assign_users_to_manager: {
        Args: {
          p_user_ids: string[];
          p_manager_id: string | null;
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
        };
      };
      restrict_users: {
        Args: {
          p_user_ids: string[];
          p_restricted: boolean;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
        };
      };
      adjust_funds_of_users: {
        Args: {
          p_user_ids: string[];
          p_class_id?: string | null;
          p_change: 'add' | 'subtract' | 'set';
          p_amount: number | string;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
        };
      };
      reset_users: {
        Args: {
          p_user_ids: string[];
          p_class_id?: string | null;
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
        };
      };
      invite_users_again: {
        Args: {
          p_user_ids: string[];
          p_links: 'mail' | 'file';
          p_reason?: string | null;
          p_client_id?: string | null;
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
            email: string | null;
            link: string | null;
          }[];
        };
      };
      preview_bulk_action: {
        Args: {
          p_user_ids: string[];
          p_class_id?: string | null;
          p_action: {
            kind: 'funds';
            change: 'add' | 'subtract' | 'set';
            amount: number | string;
          } | {
            kind: 'reset';
          } | {
            kind: 'restrict';
          } | {
            kind: 'lift';
          } | {
            kind: 'invite';
          } | {
            kind: 'class';
            class_id: string;
          };
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
          balances: {
            before: number;
            after: number;
            lowest_after: number;
            highest_after: number;
          } | null;
        };
      };
      list_positions: {
        Args: {
          p_status: 'open' | 'closed';
          p_user_id?: string | null;
          p_account_id?: string | null;
          p_symbol?: string | null;
          p_from?: string | null;
          p_to?: string | null;
          p_sort?: 'time' | 'symbol' | 'size' | 'leverage' | 'pnl' | null;
          p_ascending?: boolean | null;
          p_page?: number | null;
          p_page_size?: number | null;
        };
        Returns: {
          positions: {
            id: string;
            user_id: string;
            symbol: string;
            side: 'BUY' | 'SELL';
            entry_price: number;
            size: number;
            leverage: number;
            margin: number;
            liquidation_price: number;
            mark_price: number | null;
            unrealized_pnl: number | null;
            close_price: number | null;
            realized_pnl: number | null;
            status: 'open' | 'closed';
            close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
            created_at: string;
            closed_at: string | null;
            edited_at: string | null;
            fees: number;
            take_profit_price: number | null;
            stop_loss_price: number | null;
            rules: 'standard' | 'as-specified' | 'perpetual';
            version: number;
            username: string;
          }[];
          total: number;
          is_more: boolean;
          realized_pnl: number | null;
        };
      };
      export_positions: {
        Args: {
          p_status: 'open' | 'closed';
          p_user_id?: string | null;
          p_account_id?: string | null;
          p_symbol?: string | null;
          p_from?: string | null;
          p_to?: string | null;
          p_time_zone: string;
          p_with_ids?: boolean | null;
        };
        Returns: {
          url: string;
          file_name: string;
        };
      };
      list_orders: {
        Args: {
          p_user_id: string;
          p_account_id?: string | null;
          p_page?: number | null;
          p_page_size?: number | null;
        };
        Returns: {
          rows: {
            id: string;
            user_id: string;
            symbol: string;
            type: 'MARKET' | 'LIMIT' | 'STOP' | 'STOP_MARKET' | 'TAKE_PROFIT' | 'TAKE_PROFIT_MARKET' | 'TRAILING_STOP_MARKET';
            side: 'BUY' | 'SELL';
            price: number | null;
            size: number;
            leverage: number;
            status: 'NEW' | 'PARTIALLY_FILLED' | 'FILLED' | 'REJECTED' | 'CANCELED' | 'EXPIRED';
            reason: string | null;
            take_profit_price: number | null;
            stop_loss_price: number | null;
            reserved: number;
            position_id: string | null;
            client_id: string | null;
            rules: 'standard' | 'as-specified' | 'perpetual';
            created_at: string;
            updated_at: string;
            version: number;
            account_version: number;
            time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTX' | 'GTD';
            reduce_only: boolean;
            filled_size: number;
            filled_value: number;
            trigger_price: number | null;
            trail_rate: number | null;
            peak_price: number | null;
            close_position: boolean;
            triggered_at: string | null;
            expires_at: string | null;
            due_at: string | null;
            bound_position_id: string | null;
          }[];
          total: number;
        };
      };
      list_transactions: {
        Args: {
          p_user_id: string;
          p_account_id?: string | null;
          p_page?: number | null;
          p_page_size?: number | null;
        };
        Returns: {
          rows: {
            id: string;
            user_id: string;
            wallet_id: string | null;
            type: 'deposit' | 'withdrawal' | 'position_closed' | 'fee' | 'funding' | 'financing';
            amount: number;
            status: 'completed' | 'pending';
            created_at: string;
            completed_at: string | null;
            description: string | null;
          }[];
          total: number;
        };
      };
      list_ledger_entries: {
        Args: {
          p_user_id: string;
          p_account_id?: string | null;
          p_page?: number | null;
          p_page_size?: number | null;
        };
        Returns: {
          rows: {
            id: number;
            group_id: string;
            account: 'user:cash' | 'user:margin' | 'user:order_margin' | 'house:pnl' | 'house:fees' | 'house:funding' | 'external' | 'insurance';
            user_id: string | null;
            amount: number;
            kind: 'deposit' | 'withdrawal' | 'open' | 'close' | 'adjustment' | 'fee' | 'reserve' | 'release' | 'split' | 'increase' | 'margin' | 'funding' | 'financing';
            source_id: string;
            created_at: string;
          }[];
          total: number;
        };
      };
      export_list: {
        Args: {
          p_list: 'users' | 'wallets' | 'transactions' | 'audit' | 'kyc' | 'contact';
          p_users?: {
            p_search?: string | null;
            p_roles?: ('trader' | 'manager' | 'support' | 'admin')[] | null;
            p_kyc?: ('unverified' | 'pending' | 'verified' | 'rejected')[] | null;
            p_managers?: (string | 'none')[] | null;
            p_restricted?: boolean | null;
          } | null;
          p_kyc?: {
            p_status: 'pending' | 'approved' | 'rejected';
            p_search?: string | null;
            p_country?: string | null;
            p_document_type?: 'passport' | 'id_card' | 'drivers_license' | null;
            p_attempt?: 'first' | 'repeated' | null;
          } | null;
          p_search?: string | null;
          p_status?: 'new' | 'read' | 'replied' | 'archived' | null;
          p_from?: string | null;
          p_to?: string | null;
          p_user_id?: string | null;
          p_actor_id?: string | null;
          p_object_id?: string | null;
          p_request_id?: string | null;
          p_action?: string | null;
        };
        Returns: {
          url: string;
          file_name: string;
        };
      };
      preview_funds: {
        Args: {
          p_user_id: string;
          p_account_id?: string | null;
          p_amount: number | string;
        };
        Returns: {
          before: {
            balance: number;
            available_balance: number;
            margin: number;
          };
          after: {
            balance: number;
            available_balance: number;
            margin: number;
          } | null;
          refusal: string | null;
        };
      };
      preview_position_edit: {
        Args: {
          p_position_id: string;
          p_changes: {
            entry_price?: number | string | null;
            close_price?: number | string | null;
            size?: number | string | null;
            leverage?: number | null;
            side?: string | null;
            realized_pnl?: number | string | null;
            liquidation_price?: number | string | null;
            created_at?: string | null;
            closed_at?: string | null;
          };
        };
        Returns: {
          before: {
            balance: number;
            available_balance: number;
            margin: number;
          };
          after: {
            balance: number;
            available_balance: number;
            margin: number;
          } | null;
          refusal: string | null;
          version: number;
          changes: {
            column: string;
            before: string | number | boolean | null;
            after: string | number | boolean | null;
          }[];
          derived_pnl: number | null;
        };
      };
      get_position_history: {
        Args: {
          p_position_id: string;
        };
        Returns: {
          at: string;
          action: string;
          actor: string | null;
          on_behalf_of: string | null;
          reason: string | null;
          changes: {
            column: string;
            before: string | number | boolean | null;
            after: string | number | boolean | null;
          }[];
        }[];
      };
      list_wallets: {
        Args: {
          p_search?: string | null;
          p_sort?: 'username' | 'balance' | 'available_balance' | 'last_updated' | null;
          p_ascending?: boolean | null;
          p_page?: number | null;
          p_page_size?: number | null;
        };
        Returns: {
          total: number;
          wallets: {
            id: string;
            user_id: string;
            username: string;
            balance: number;
            available_balance: number;
            margin: number;
            currency: string;
            last_updated: string;
            drift: number;
          }[];
        };
      };
      reconcile_wallets: {
        Args: {
          p_user_id?: string | null;
        };
        Returns: {
          wallets: number;
          entries: number;
          balance: string;
          ledger: string;
          drifting: {
            user_id: string;
            username: string;
            balance: string;
            ledger: string;
            drift: string;
          }[];
          drifting_total: number;
          at: string;
        };
      };
      get_admin_overview: {
        Args: Record<string, never>;
        Returns: {
          total_users: {
            value: number;
            change_pct: number | null;
            days: number[];
          };
          trading_volume: {
            value: number;
            change_pct: number | null;
            days: number[];
          };
          active_sessions: {
            value: number;
            change_pct: number | null;
            days: number[];
          };
          total_balance: {
            value: number;
            change_pct: number | null;
            days: number[];
          };
          signed_in_now: number;
          average_session_s: number | null;
          peak_hour: number | null;
          sessions_measured: number;
          at: string;
        };
      };
      get_house_metrics: {
        Args: {
          p_from?: string | null;
          p_to?: string | null;
        };
        Returns: {
          days: {
            day: string;
            volume: number;
            active_traders: number;
            house_pnl: number;
            liquidations: number;
            transactions: number;
            deposits: number;
            withdrawals: number;
          }[];
          totals: {
            volume: number;
            active_traders: number;
            house_pnl: number;
            liquidations: number;
            transactions: number;
            deposits: number;
            withdrawals: number;
          };
          at: string;
        };
      };
      get_candles: {
        Args: {
          p_symbol: string;
          p_timeframe: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | '1M';
          p_limit?: number | null;
          p_before?: string | null;
        };
        Returns: {
          open_time: string;
          open: number;
          high: number;
          low: number;
          close: number;
          volume: number;
          quote_volume: number;
          gap: boolean;
        }[];
      };
      get_sparklines: {
        Args: {
          p_symbols: string[];
        };
        Returns: {
          symbol: string;
          closes: number[];
        }[];
      };
      fetch_price: {
        Args: {
          p_symbol: string;
        };
        Returns: {
          symbol: string;
          price: number;
          price_change_percent: number | null;
          volume: number;
          quote_volume: number;
          high_24h: number | null;
          low_24h: number | null;
          source: 'simulated' | 'replay' | 'binance' | 'yahoo';
          state: 'closed' | 'stale' | 'delayed' | 'live' | 'replay' | 'simulated';
          priced_at: string;
          market_time: string;
          market_open: boolean;
          held?: true;
        };
      };
      update_position_mark_prices: {
        Args: Record<string, never>;
        Returns: {
          prices_updated: number;
        };
      };
      get_market_sentiment: {
        Args: Record<string, never>;
        Returns: {
          points: {
            hour: string;
            value: number | null;
          }[];
          breadth: number | null;
          momentum: number | null;
          markets: number;
          as_of: string;
        };
      };
      get_fear_and_greed: {
        Args: Record<string, never>;
        Returns: {
          value: number | null;
          inputs: {
            name: 'volatility' | 'momentum' | 'breadth' | 'long_short';
            score: number | null;
            weight: number;
            figure: number | null;
          }[];
          yesterday: number | null;
          last_week: number | null;
          markets: number;
          as_of: string;
        };
      };
      get_economic_calendar: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          at: string;
          country: string;
          title: string;
          impact: 'high' | 'medium' | 'low';
          forecast: string | null;
          previous: string | null;
          actual: string | null;
        }[];
      };
      get_news_feed: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          at: string;
          category: 'market' | 'crypto' | 'stocks' | 'economy';
          headline: string;
          symbol: string | null;
        }[];
      };
      get_social_sentiment: {
        Args: Record<string, never>;
        Returns: {
          platform: 'Twitter' | 'Reddit' | 'Telegram' | 'Discord';
          bullish: number;
          change: number;
          tags: string[];
        }[];
      };
      get_performance: {
        Args: {
          p_from?: string | null;
          p_to?: string | null;
          p_time_zone?: string | null;
        };
        Returns: {
          from: string | null;
          to: string | null;
          time_zone: string;
          trades: number;
          wins: number;
          losses: number;
          break_even: number;
          gross_pnl: number;
          fees: number;
          funding: number;
          net_pnl: number;
          win_rate: number | null;
          gross_profit: number;
          gross_loss: number;
          profit_factor: number | null;
          expectancy: number | null;
          average_win: number | null;
          average_loss: number | null;
          average_r: number | null;
          r_trades: number;
          average_holding_s: number | null;
          median_holding_s: number | null;
          best: {
            id: string;
            symbol: string;
            net_pnl: number;
            closed_at: string;
          } | null;
          worst: {
            id: string;
            symbol: string;
            net_pnl: number;
            closed_at: string;
          } | null;
          max_drawdown: {
            amount: number;
            percent: number;
            from: string;
            to: string;
          } | null;
          curve: {
            at: string;
            equity: number;
            result: number;
            drawdown: number;
          }[];
          by_symbol: {
            symbol: string;
            trades: number;
            wins: number;
            net_pnl: number;
          }[];
          others: {
            symbols: number;
            trades: number;
            net_pnl: number;
          } | null;
          by_side: {
            side: 'BUY' | 'SELL';
            trades: number;
            wins: number;
            win_rate: number | null;
            net_pnl: number;
          }[];
          by_day: {
            day: string;
            trades: number;
            net_pnl: number;
          }[];
          by_hour: {
            hour: number;
            trades: number;
            net_pnl: number;
          }[];
          costs: {
            fills: number;
            gross: number;
            spread: number;
            impact: number;
            latency: number;
            fees: number;
            funding: number;
            net: number;
          } | null;
          truncated: boolean;
        };
      };
      get_equity_overview: {
        Args: Record<string, never>;
        Returns: {
          day: {
            since: string;
            equity: number;
            net_deposits: number;
          };
          curve: {
            at: string;
            equity: number;
            result: number;
          }[];
        };
      };
      review_trade: {
        Args: {
          p_position_id: string;
        };
        Returns: {
          position_id: string;
          symbol: string;
          side: 'BUY' | 'SELL';
          closed_at: string;
          close_reason: string;
          is_final: boolean;
          facts: {
            name: 'net' | 'held' | 'entryPrice' | 'exitPrice' | 'costs' | 'costShare' | 'risk' | 'r' | 'riskShare' | 'firstStop' | 'lastStop' | 'worstPrice' | 'worstResult' | 'bestPrice' | 'bestResult' | 'captured' | 'missedPrice' | 'missedResult' | 'sinceLoss' | 'lossBefore';
            unit: 'money' | 'price' | 'percent' | 'r' | 'ms';
            value: number;
          }[];
          findings: {
            rule: 'no_stop' | 'stop_moved_away' | 'soon_after_loss' | 'over_own_risk' | 'gave_back' | 'closed_early' | 'costly' | 'liquidated' | 'loss_within_plan' | 'let_it_run';
            sentence: string;
          }[];
        };
      };
      review_period: {
        Args: {
          p_from: string;
          p_to: string;
          p_time_zone?: string | null;
        };
        Returns: {
          from: string;
          to: string;
          trades: number;
          costliest: {
            rule: 'no_stop' | 'stop_moved_away' | 'soon_after_loss' | 'over_own_risk' | 'gave_back' | 'closed_early' | 'costly' | 'liquidated' | 'loss_within_plan' | 'let_it_run';
            worth: number;
            trades: number;
            listed: {
              position_id: string;
              symbol: string;
              side: 'BUY' | 'SELL';
              closed_at: string;
              worth: number;
            }[];
          }[];
          best: {
            rule: 'no_stop' | 'stop_moved_away' | 'soon_after_loss' | 'over_own_risk' | 'gave_back' | 'closed_early' | 'costly' | 'liquidated' | 'loss_within_plan' | 'let_it_run';
            worth: number;
            trades: number;
            listed: {
              position_id: string;
              symbol: string;
              side: 'BUY' | 'SELL';
              closed_at: string;
              worth: number;
            }[];
          }[];
          too_few: {
            rule: 'no_stop' | 'stop_moved_away' | 'soon_after_loss' | 'over_own_risk' | 'gave_back' | 'closed_early' | 'costly' | 'liquidated' | 'loss_within_plan' | 'let_it_run';
            trades: number;
            needed: number;
          }[];
          by_setup: {
            key: string;
            trades: number;
            net_pnl: number;
          }[];
          by_symbol: {
            key: string;
            trades: number;
            net_pnl: number;
          }[];
          by_side: {
            key: string;
            trades: number;
            net_pnl: number;
          }[];
          by_hour: {
            key: string;
            trades: number;
            net_pnl: number;
          }[];
          pending: number;
          truncated: boolean;
        };
      };
      get_playbook_results: {
        Args: Record<string, never>;
        Returns: {
          playbooks: {
            playbook_id: string;
            all: {
              trades: number;
              net: number | null;
              r: number | null;
              r_trades: number;
            };
            criteria: {
              criterion: string;
              met: {
                trades: number;
                net: number | null;
                r: number | null;
                r_trades: number;
              };
              unmet: {
                trades: number;
                net: number | null;
                r: number | null;
                r_trades: number;
              };
            }[];
          }[];
          needed: number;
          truncated: boolean;
        };
      };
      get_assistant: {
        Args: Record<string, never>;
        Returns: {
          examples: string[];
          model: {
            name: string;
            host: string;
            answers_a_day: number;
            answers_left: number;
          } | null;
        };
      };
      ask_assistant: {
        Args: {
          p_question: string;
          p_time_zone?: string | null;
          p_about?: {
            topics: ('account' | 'margin' | 'risk' | 'positions' | 'liquidation' | 'result' | 'habits' | 'fees' | 'funding')[];
            period: 'today' | '7 days' | '30 days' | 'all time';
            symbol: string | null;
          } | null;
        };
        Returns: {
          kind: 'facts' | 'help' | 'order' | 'none';
          text: string;
          sections: {
            title: string;
            path: string;
            facts: {
              label: string;
              value: string;
              trade: {
                id: string;
                symbol: string;
                side: 'BUY' | 'SELL';
              } | null;
            }[];
            note: string | null;
          }[];
          passages: {
            id: string;
            title: string;
            text: string;
            path: string | null;
          }[];
          order: {
            symbol: string;
            side: 'BUY' | 'SELL';
            amount: string | null;
            leverage: number | null;
            stop_loss: string | null;
            take_profit: string | null;
          } | null;
          examples: string[];
          about: {
            topics: ('account' | 'margin' | 'risk' | 'positions' | 'liquidation' | 'result' | 'habits' | 'fees' | 'funding')[];
            period: 'today' | '7 days' | '30 days' | 'all time';
            symbol: string | null;
          } | null;
        };
      };
      suggest_answer: {
        Args: {
          p_text: string;
        };
        Returns: {
          id: string;
          title: string;
          text: string;
          path: string | null;
        } | null;
      };
      list_kyc_checks: {
        Args: {
          p_status: 'pending' | 'approved' | 'rejected';
          p_search?: string | null;
          p_country?: string | null;
          p_document_type?: 'passport' | 'id_card' | 'drivers_license' | null;
          p_attempt?: 'first' | 'repeated' | null;
          p_oldest_first?: boolean | null;
          p_after?: {
            submitted_at: string;
            id: string;
          } | null;
        };
        Returns: {
          checks: {
            id: string;
            user_id: string;
            attempt: number;
            country: string;
            document_type: 'passport' | 'id_card' | 'drivers_license';
            date_of_birth: string;
            status: 'pending' | 'approved' | 'rejected';
            submitted_at: string;
            reviewed_at: string | null;
            reject_type: 'retry' | 'final' | null;
            username: string;
            email: string;
            claim: {
              user_id: string;
              username: string;
              seconds_left: number;
            } | null;
          }[];
          is_more: boolean;
          total: number;
          countries: {
            country: string;
            checks: number;
          }[];
          min_age: number;
          at: string;
        };
      };
      open_kyc_case: {
        Args: {
          p_id: string;
          p_oldest_first?: boolean | null;
        };
        Returns: {
          verification: {
            id: string;
            user_id: string;
            attempt: number;
            first_name: string;
            last_name: string;
            date_of_birth: string;
            country: string;
            address: string;
            city: string;
            postal_code: string;
            document_type: 'passport' | 'id_card' | 'drivers_license';
            document_number: string;
            document_front_url: string;
            document_back_url: string;
            selfie_url: string;
            status: 'pending' | 'approved' | 'rejected';
            submitted_at: string;
            reviewed_at: string | null;
            reject_type: 'retry' | 'final' | null;
            reasons: {
              document: 'document_front' | 'document_back' | 'selfie' | null;
              code: string;
              text: string;
            }[];
            reviewer_id: string | null;
            private_note: string | null;
            version: number;
          };
          user: {
            id: string;
            username: string;
            email: string;
            created_at: string;
            kyc_status: string;
          };
          reviewer_name: string | null;
          pictures: {
            document: 'document_front' | 'document_back' | 'selfie';
            url: string;
            expires_at: string;
            content_type: string;
            size_bytes: number;
          }[];
          pictures_discarded_at: string | null;
          claim: {
            user_id: string;
            username: string;
            seconds_left: number;
          } | null;
          min_age: number;
          attempts: {
            id: string;
            attempt: number;
            status: 'pending' | 'approved' | 'rejected';
            submitted_at: string;
            reviewed_at: string | null;
          }[];
          duplicates: {
            verification_id: string;
            user_id: string;
            username: string;
            status: 'pending' | 'approved' | 'rejected';
            submitted_at: string;
            same: ('document_number' | 'document_front' | 'document_back' | 'selfie')[];
          }[];
          next_id: string | null;
          waiting: number;
          may_review: boolean;
        };
      };
      claim_kyc: {
        Args: {
          p_id: string;
          p_take_over?: boolean | null;
          p_client_id?: string | null;
        };
        Returns: {
          claim: {
            user_id: string;
            username: string;
            seconds_left: number;
          } | null;
        };
      };
      release_kyc: {
        Args: {
          p_id: string;
        };
        Returns: {
          claim: {
            user_id: string;
            username: string;
            seconds_left: number;
          } | null;
        };
      };
      review_kyc: {
        Args: {
          p_id: string;
          p_decision: 'approved' | 'rejected';
          p_reasons?: {
            document: 'document_front' | 'document_back' | 'selfie' | null;
            code: string;
            text: string;
          }[] | null;
          p_reject_type?: 'retry' | 'final' | null;
          p_note?: string | null;
          p_version: number;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          attempt: number;
          first_name: string;
          last_name: string;
          date_of_birth: string;
          country: string;
          address: string;
          city: string;
          postal_code: string;
          document_type: 'passport' | 'id_card' | 'drivers_license';
          document_number: string;
          document_front_url: string;
          document_back_url: string;
          selfie_url: string;
          status: 'pending' | 'approved' | 'rejected';
          submitted_at: string;
          reviewed_at: string | null;
          reject_type: 'retry' | 'final' | null;
          reasons: {
            document: 'document_front' | 'document_back' | 'selfie' | null;
            code: string;
            text: string;
          }[];
          reviewer_id: string | null;
          private_note: string | null;
          version: number;
        };
      };
      open_chat_session: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          user_id: string;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          support_id: string | null;
          last_seq: number;
          version: number;
          trader_seen_seq: number;
          trader_seen_at: string | null;
          support_seen_seq: number;
          unread_count: number;
          trader_unread_count: number;
          waiting_since: string | null;
          last_message: string | null;
          last_message_at: string | null;
          last_sender_role: 'trader' | 'support' | null;
          last_agent_id: string | null;
          rating: number | null;
          rating_comment: string | null;
          rated_at: string | null;
          assigned_to: string | null;
        };
      };
      get_chat_updates: {
        Args: {
          p_session_id: string;
          p_after_seq: number;
          p_before_seq?: number | null;
        };
        Returns: {
          session: {
            id: string;
            user_id: string;
            status: 'open' | 'closed';
            created_at: string;
            updated_at: string;
            closed_at: string | null;
            support_id: string | null;
            last_seq: number;
            version: number;
            trader_seen_seq: number;
            trader_seen_at: string | null;
            support_seen_seq: number;
            unread_count: number;
            trader_unread_count: number;
            waiting_since: string | null;
            last_message: string | null;
            last_message_at: string | null;
            last_sender_role: 'trader' | 'support' | null;
            last_agent_id: string | null;
            rating: number | null;
            rating_comment: string | null;
            rated_at: string | null;
            assigned_to: string | null;
          };
          messages: {
            id: string;
            session_id: string;
            user_id: string;
            seq: number;
            sender_id: string | null;
            sender_role: 'trader' | 'support';
            sender_name: string | null;
            content: string;
            created_at: string;
            read_at: string | null;
            client_id: string | null;
            attachment_id: string | null;
          }[];
          has_more: boolean;
        };
      };
      get_chat_pictures: {
        Args: {
          p_session_id: string;
          p_message_ids: string[];
        };
        Returns: {
          pictures: {
            message_id: string;
            url: string;
            content_type: string;
          }[];
        };
      };
      mark_chat_read: {
        Args: {
          p_session_id: string;
          p_seq: number;
        };
        Returns: {
          id: string;
          user_id: string;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          support_id: string | null;
          last_seq: number;
          version: number;
          trader_seen_seq: number;
          trader_seen_at: string | null;
          support_seen_seq: number;
          unread_count: number;
          trader_unread_count: number;
          waiting_since: string | null;
          last_message: string | null;
          last_message_at: string | null;
          last_sender_role: 'trader' | 'support' | null;
          last_agent_id: string | null;
          rating: number | null;
          rating_comment: string | null;
          rated_at: string | null;
          assigned_to: string | null;
        };
      };
      rate_chat_session: {
        Args: {
          p_session_id: string;
          p_score: number;
          p_comment?: string | null;
        };
        Returns: {
          id: string;
          user_id: string;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          support_id: string | null;
          last_seq: number;
          version: number;
          trader_seen_seq: number;
          trader_seen_at: string | null;
          support_seen_seq: number;
          unread_count: number;
          trader_unread_count: number;
          waiting_since: string | null;
          last_message: string | null;
          last_message_at: string | null;
          last_sender_role: 'trader' | 'support' | null;
          last_agent_id: string | null;
          rating: number | null;
          rating_comment: string | null;
          rated_at: string | null;
          assigned_to: string | null;
        };
      };
      get_support_presence: {
        Args: Record<string, never>;
        Returns: {
          status: 'available' | 'busy' | 'offline';
          agents: {
            username: string;
            status: 'available' | 'busy';
          }[];
          typical_first_response_s: number | null;
          n: number;
        };
      };
      get_attended_trader: {
        Args: {
          p_session_id: string;
        };
        Returns: {
          user: {
            id: string;
            username: string;
            email: string;
            created_at: string;
            last_login: string | null;
            kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
            restricted_at: string | null;
          };
          wallet: {
            balance: number;
            available_balance: number;
            currency: string;
          } | null;
          positions: {
            id: string;
            user_id: string;
            symbol: string;
            side: 'BUY' | 'SELL';
            entry_price: number;
            size: number;
            leverage: number;
            margin: number;
            liquidation_price: number;
            mark_price: number | null;
            unrealized_pnl: number | null;
            close_price: number | null;
            realized_pnl: number | null;
            status: 'open' | 'closed';
            created_at: string;
            updated_at: string;
            closed_at: string | null;
            take_profit_price: number | null;
            stop_loss_price: number | null;
            close_reason: 'manual' | 'liquidation' | 'take_profit' | 'stop_loss' | 'staff' | 'program_end' | null;
            close_price_source: 'live' | 'mark' | 'entry' | null;
            rules: 'standard' | 'as-specified' | 'perpetual';
            version: number;
            account_version: number;
            initial_stop_loss_price: number | null;
            fee_rate: number;
            fees: number;
            split_from: string | null;
            edited_at: string | null;
            close_at_reopen: boolean;
            entry_value: number | null;
            funding: number;
          }[];
          earlier: {
            id: string;
            created_at: string;
            closed_at: string | null;
            messages: number;
            rating: number | null;
          }[];
        };
      };
      get_support_team: {
        Args: Record<string, never>;
        Returns: {
          agents: {
            id: string;
            username: string;
            status: 'available' | 'busy' | 'offline';
            assigned: number;
          }[];
        };
      };
      assign_chat_session: {
        Args: {
          p_session_id: string;
          p_agent_id: string | null;
          p_expected: string | null;
          p_note?: string | null;
          p_client_id: string;
        };
        Returns: {
          id: string;
          user_id: string;
          status: 'open' | 'closed';
          created_at: string;
          updated_at: string;
          closed_at: string | null;
          support_id: string | null;
          last_seq: number;
          version: number;
          trader_seen_seq: number;
          trader_seen_at: string | null;
          support_seen_seq: number;
          unread_count: number;
          trader_unread_count: number;
          waiting_since: string | null;
          last_message: string | null;
          last_message_at: string | null;
          last_sender_role: 'trader' | 'support' | null;
          last_agent_id: string | null;
          rating: number | null;
          rating_comment: string | null;
          rated_at: string | null;
          assigned_to: string | null;
        };
      };
      get_chat_tags: {
        Args: Record<string, never>;
        Returns: {
          tags: string[];
        };
      };
      tag_chat_session: {
        Args: {
          p_session_id: string;
          p_tag: string;
          p_is_on: boolean;
        };
        Returns: {
          session_id: string;
          user_id: string;
          tags: string[];
          snoozed_until: string | null;
          is_open: boolean;
          updated_at: string;
        };
      };
      snooze_chat_session: {
        Args: {
          p_session_id: string;
          p_until: string | null;
        };
        Returns: {
          session_id: string;
          user_id: string;
          tags: string[];
          snoozed_until: string | null;
          is_open: boolean;
          updated_at: string;
        };
      };
      delete_chat_tag: {
        Args: {
          p_tag: string;
        };
        Returns: {
          tags: string[];
        };
      };
      search_chats: {
        Args: {
          p_text: string;
          p_before?: string | null;
        };
        Returns: {
          messages: {
            id: string;
            session_id: string;
            seq: number;
            status: 'open' | 'closed';
            username: string;
            sender_role: 'trader' | 'support';
            sender_name: string | null;
            content: string;
            created_at: string;
          }[];
          has_more: boolean;
          sessions: {
            id: string;
            username: string;
            created_at: string;
            closed_at: string | null;
            messages: number;
          }[];
        };
      };
      get_team_replies: {
        Args: Record<string, never>;
        Returns: {
          replies: {
            id: string;
            shortcut: string;
            content: string;
          }[];
        };
      };
      save_team_reply: {
        Args: {
          p_id: string;
          p_shortcut: string;
          p_content: string;
        };
        Returns: {
          replies: {
            id: string;
            shortcut: string;
            content: string;
          }[];
        };
      };
      delete_team_reply: {
        Args: {
          p_id: string;
        };
        Returns: {
          replies: {
            id: string;
            shortcut: string;
            content: string;
          }[];
        };
      };
      get_support_metrics: {
        Args: {
          p_from: string;
          p_to: string;
          p_support_id?: string | null;
        };
        Returns: {
          sessions: number;
          first_response: {
            n: number;
            mean: number | null;
            median: number | null;
            p90: number | null;
          };
          response: {
            n: number;
            mean: number | null;
            median: number | null;
            p90: number | null;
          };
          resolution: {
            n: number;
            mean: number | null;
            median: number | null;
            p90: number | null;
          };
          resolved: {
            n: number;
            of: number;
            share: number | null;
          };
          abandoned: {
            n: number;
            of: number;
            share: number | null;
          };
          satisfied: {
            n: number;
            of: number;
            share: number | null;
          };
          rated: {
            n: number;
            of: number;
            share: number | null;
          };
          active_chats: number;
          interactions: number;
          unanswered: number;
          longest_wait_s: number | null;
          as_of: string;
        };
      };
      reply_contact_form: {
        Args: {
          p_id: string;
          p_message: string;
          p_version: number;
          p_client_id?: string | null;
        };
        Returns: {
          id: string;
          status: 'new' | 'read' | 'replied' | 'archived';
          version: number;
        };
      };
      safe_update_user_profile: {
        Args: {
          user_id: string;
          new_username?: string | null;
          new_email?: string | null;
          new_role?: 'trader' | 'manager' | 'support' | 'admin' | null;
          new_manager_id?: string | '' | null;
          new_phone_number?: string | null;
          current_password?: string | null;
        };
        Returns: {
          id: string;
          email: string;
          username: string;
          role: 'trader' | 'manager' | 'support' | 'admin';
          phone_number: string | null;
          created_at: string;
          last_login: string | null;
          manager_id: string | null;
          kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
          kyc_verified_at: string | null;
          restricted_at: string | null;
        };
      };
      admin_update_user_password: {
        Args: {
          p_user_id: string;
          p_new_password: string;
          p_reason?: string | null;
          p_current_password?: string | null;
        };
        Returns: {
          user_id: string;
          sessions_ended: number;
        };
      };
      admin_create_user: {
        Args: {
          p_email: string;
          p_username: string;
          p_password: string;
          p_role: 'trader' | 'manager' | 'support' | 'admin';
          p_manager_id?: string | null;
          p_current_password?: string | null;
        };
        Returns: {
          id: string;
          email: string;
          username: string;
          role: 'trader' | 'manager' | 'support' | 'admin';
          phone_number: string | null;
          created_at: string;
          last_login: string | null;
          manager_id: string | null;
          kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
          kyc_verified_at: string | null;
          restricted_at: string | null;
        };
      };
      save_class: {
        Args: {
          p_id?: string | null;
          p_version?: number | null;
          p_client_id?: string | null;
          p_name: string;
          p_begins_at: string;
          p_ends_at: string;
          p_start_balance: number | string;
          p_rules: 'standard' | 'as-specified' | 'perpetual';
          p_leverage_max: number;
          p_symbols: string[] | null;
          p_positions_max: number | null;
          p_tutor_ids: string[];
          p_members_see_each_other?: boolean | null;
        };
        Returns: {
          id: string;
          name: string;
          begins_at: string;
          ends_at: string;
          start_balance: number;
          rules: 'standard' | 'as-specified' | 'perpetual';
          leverage_max: number;
          symbols: string[] | null;
          positions_max: number | null;
          members_see_each_other: boolean;
          tutors: {
            id: string;
            username: string;
          }[];
          members: number;
          version: number;
        };
      };
      list_classes: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          name: string;
          begins_at: string;
          ends_at: string;
          start_balance: number;
          rules: 'standard' | 'as-specified' | 'perpetual';
          leverage_max: number;
          symbols: string[] | null;
          positions_max: number | null;
          members_see_each_other: boolean;
          tutors: {
            id: string;
            username: string;
          }[];
          members: number;
          version: number;
        }[];
      };
      add_class_members: {
        Args: {
          p_class_id: string;
          p_user_ids: string[];
          p_from_class_id?: string | null;
          p_reason?: string | null;
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
        };
      };
      remove_class_members: {
        Args: {
          p_class_id: string;
          p_user_ids: string[];
        };
        Returns: {
          rows: {
            user_id: string;
            username: string | null;
            outcome: 'done' | 'unchanged' | 'refused';
            message: string | null;
          }[];
        };
      };
      list_class_members: {
        Args: {
          p_class_id: string;
        };
        Returns: {
          user_id: string;
          account_id: string;
          is_funded_by_caller: boolean;
          username: string;
          email: string;
          joined_at: string;
          last_login: string | null;
          equity: number;
          return_pct: number;
          drawdown_pct: number;
          open_risk: number;
          open_positions: number;
          last_trade_at: string | null;
        }[];
      };
      message_class: {
        Args: {
          p_class_id: string;
          p_subject: string;
          p_text: string;
          p_client_id: string;
        };
        Returns: {
          id: string;
          recipients: number;
          mailed: number;
          created_at: string;
        };
      };
      list_classmates: {
        Args: {
          p_offset?: number | null;
          p_limit?: number | null;
        };
        Returns: {
          class_name: string;
          total: number;
          members: {
            username: string;
            return_pct: number;
            is_self: boolean;
          }[];
          own: {
            username: string;
            return_pct: number;
            is_self: boolean;
          } | null;
        } | null;
      };
      save_contest: {
        Args: {
          p_id?: string | null;
          p_version?: number | null;
          p_client_id?: string | null;
          p_name: string;
          p_description: string;
          p_class_id: string | null;
          p_registration_opens_at: string;
          p_registration_ends_at: string;
          p_begins_at: string;
          p_ends_at: string;
          p_rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            score: 'return' | 'realized' | 'sharpe' | 'drawdown' | 'expectancy';
            tieBreaks: ('drawdown' | 'trades' | 'entry')[];
            tradesMin: number;
            names: 'shown' | 'numbered';
          };
        };
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          registration_opens_at: string;
          registration_ends_at: string;
          begins_at: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            score: 'return' | 'realized' | 'sharpe' | 'drawdown' | 'expectancy';
            tieBreaks: ('drawdown' | 'trades' | 'entry')[];
            tradesMin: number;
            names: 'shown' | 'numbered';
          };
          phase: 'announced' | 'registration' | 'waiting' | 'trading' | 'ending' | 'ended' | 'withdrawn';
          can_enter: boolean;
          entrants: number;
          version: number;
          frozen_at: string | null;
          withdrawn_at: string | null;
          account_id: string | null;
        };
      };
      list_contests: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          registration_opens_at: string;
          registration_ends_at: string;
          begins_at: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            score: 'return' | 'realized' | 'sharpe' | 'drawdown' | 'expectancy';
            tieBreaks: ('drawdown' | 'trades' | 'entry')[];
            tradesMin: number;
            names: 'shown' | 'numbered';
          };
          phase: 'announced' | 'registration' | 'waiting' | 'trading' | 'ending' | 'ended' | 'withdrawn';
          can_enter: boolean;
          entrants: number;
          version: number;
          frozen_at: string | null;
          withdrawn_at: string | null;
          account_id: string | null;
        }[];
      };
      enter_contest: {
        Args: {
          p_contest_id: string;
        };
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          registration_opens_at: string;
          registration_ends_at: string;
          begins_at: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            score: 'return' | 'realized' | 'sharpe' | 'drawdown' | 'expectancy';
            tieBreaks: ('drawdown' | 'trades' | 'entry')[];
            tradesMin: number;
            names: 'shown' | 'numbered';
          };
          phase: 'announced' | 'registration' | 'waiting' | 'trading' | 'ending' | 'ended' | 'withdrawn';
          can_enter: boolean;
          entrants: number;
          version: number;
          frozen_at: string | null;
          withdrawn_at: string | null;
          account_id: string | null;
        };
      };
      withdraw_contest: {
        Args: {
          p_contest_id: string;
          p_reason?: string | null;
        };
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          registration_opens_at: string;
          registration_ends_at: string;
          begins_at: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            score: 'return' | 'realized' | 'sharpe' | 'drawdown' | 'expectancy';
            tieBreaks: ('drawdown' | 'trades' | 'entry')[];
            tradesMin: number;
            names: 'shown' | 'numbered';
          };
          phase: 'announced' | 'registration' | 'waiting' | 'trading' | 'ending' | 'ended' | 'withdrawn';
          can_enter: boolean;
          entrants: number;
          version: number;
          frozen_at: string | null;
          withdrawn_at: string | null;
          account_id: string | null;
        };
      };
      get_contest_ranking: {
        Args: {
          p_contest_id: string;
          p_offset?: number | null;
          p_limit?: number | null;
        };
        Returns: {
          frozen: boolean;
          at: string;
          entrants: number;
          ranks: {
            rank: number | null;
            number: number;
            username: string | null;
            is_self: boolean;
            equity: number;
            return_pct: number;
            trades: number;
            score: number | null;
            drawdown_pct: number | null;
            unranked: 'too_few_trades' | 'no_score' | null;
          }[];
          own: {
            rank: number | null;
            number: number;
            username: string | null;
            is_self: boolean;
            equity: number;
            return_pct: number;
            trades: number;
            score: number | null;
            drawdown_pct: number | null;
            unranked: 'too_few_trades' | 'no_score' | null;
          } | null;
        };
      };
      get_contest_result: {
        Args: {
          p_contest_id: string;
          p_with_document?: boolean | null;
        };
        Returns: {
          frozen_at: string;
          closed_at: string;
          sha256: string;
          certificate_key: string;
          positions_closed: number;
          closings_total: number;
          closings: {
            number: number;
            position_id: string;
            symbol: string;
            state: 'live' | 'old' | 'shut' | 'held' | null;
            price: string;
          }[];
          interventions: {
            at: string;
            action: string;
            symbol: string | null;
          }[];
          document: string | null;
        } | null;
      };
      get_contest_certificate: {
        Args: {
          p_contest_id: string;
        };
        Returns: {
          text: string;
        } | null;
      };
      get_contest_market: {
        Args: {
          p_contest_id: string;
          p_with_commitment?: boolean | null;
          p_with_file?: boolean | null;
        };
        Returns: {
          sha256: string;
          published_at: string;
          audit: string | null;
          first_day: string;
          last_day: string;
          symbols: number;
          is_public: boolean;
          keys_from: string;
          waits_for_others: boolean;
          commitment: string | null;
          file: string | null;
        } | null;
      };
      save_challenge: {
        Args: {
          p_id?: string | null;
          p_version?: number | null;
          p_client_id?: string | null;
          p_name: string;
          p_description: string;
          p_class_id: string | null;
          p_opens_at: string;
          p_starts_until: string;
          p_ends_at: string;
          p_rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            attemptsMax: number;
            steps: {
              targetPct: number | string;
              dailyLoss: {
                pct: number | string;
                of: 'initial' | 'day';
                from: 'balance' | 'equity';
                countsOpen: boolean;
                checked: 'tick' | 'day_end';
              } | null;
              maxLoss: {
                pct: number | string;
                mode: 'static' | 'trailing_day' | 'trailing_intraday';
                lockPct: number | string | null;
              };
              consistencyPct: number | string | null;
              daysMin: number;
              daysMax: number | null;
            }[];
          };
        };
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          opens_at: string;
          starts_until: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            attemptsMax: number;
            steps: {
              targetPct: number | string;
              dailyLoss: {
                pct: number | string;
                of: 'initial' | 'day';
                from: 'balance' | 'equity';
                countsOpen: boolean;
                checked: 'tick' | 'day_end';
              } | null;
              maxLoss: {
                pct: number | string;
                mode: 'static' | 'trailing_day' | 'trailing_intraday';
                lockPct: number | string | null;
              };
              consistencyPct: number | string | null;
              daysMin: number;
              daysMax: number | null;
            }[];
          };
          phase: 'announced' | 'open' | 'shut' | 'ended';
          can_start: boolean;
          attempts: number;
          own_attempts: number;
          version: number;
          account_id: string | null;
        };
      };
      list_challenges: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          opens_at: string;
          starts_until: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            attemptsMax: number;
            steps: {
              targetPct: number | string;
              dailyLoss: {
                pct: number | string;
                of: 'initial' | 'day';
                from: 'balance' | 'equity';
                countsOpen: boolean;
                checked: 'tick' | 'day_end';
              } | null;
              maxLoss: {
                pct: number | string;
                mode: 'static' | 'trailing_day' | 'trailing_intraday';
                lockPct: number | string | null;
              };
              consistencyPct: number | string | null;
              daysMin: number;
              daysMax: number | null;
            }[];
          };
          phase: 'announced' | 'open' | 'shut' | 'ended';
          can_start: boolean;
          attempts: number;
          own_attempts: number;
          version: number;
          account_id: string | null;
        }[];
      };
      start_challenge: {
        Args: {
          p_challenge_id: string;
        };
        Returns: {
          id: string;
          name: string;
          description: string;
          class_id: string | null;
          class_name: string | null;
          opens_at: string;
          starts_until: string;
          ends_at: string;
          rules: {
            v: 1;
            startBalance: number | string;
            ruleSet: 'standard' | 'as-specified' | 'perpetual';
            leverageMax: number;
            symbols: string[] | null;
            positionsMax: number | null;
            attemptsMax: number;
            steps: {
              targetPct: number | string;
              dailyLoss: {
                pct: number | string;
                of: 'initial' | 'day';
                from: 'balance' | 'equity';
                countsOpen: boolean;
                checked: 'tick' | 'day_end';
              } | null;
              maxLoss: {
                pct: number | string;
                mode: 'static' | 'trailing_day' | 'trailing_intraday';
                lockPct: number | string | null;
              };
              consistencyPct: number | string | null;
              daysMin: number;
              daysMax: number | null;
            }[];
          };
          phase: 'announced' | 'open' | 'shut' | 'ended';
          can_start: boolean;
          attempts: number;
          own_attempts: number;
          version: number;
          account_id: string | null;
        };
      };
      get_challenge_attempts: {
        Args: {
          p_challenge_id: string;
          p_offset?: number | null;
          p_limit?: number | null;
        };
        Returns: {
          total: number;
          attempts: {
            attempt: number;
            username: string;
            is_self: boolean;
            state: 'running' | 'passed' | 'failed';
            result_sha256: string | null;
            steps: {
              step: number;
              account_id: string;
              began_at: string;
              figures: {
                at: number;
                balance: string;
                equity: string;
                initial: string;
                dayBegins: number;
                dailyLoss: {
                  from: string;
                  allowed: string;
                  floor: string;
                  value: string;
                } | null;
                maxLoss: {
                  from: string;
                  allowed: string;
                  floor: string;
                  locked: boolean;
                };
                profit: string;
                profitNeeded: string;
                bestDay: string;
                tradingDays: number;
                deadline: number | null;
              } | null;
              verdict: {
                outcome: 'passed' | 'failed';
                rule: 'daily_loss' | 'max_loss' | 'time_limit' | null;
                decided_at: string;
                marks: {
                  symbol: string;
                  price: string;
                  state: 'live' | 'old' | 'shut' | 'held';
                }[];
                arithmetic: {
                  at: number;
                  balance: string;
                  equity: string;
                  initial: string;
                  dayBegins: number;
                  dailyLoss: {
                    from: string;
                    allowed: string;
                    floor: string;
                    value: string;
                  } | null;
                  maxLoss: {
                    from: string;
                    allowed: string;
                    floor: string;
                    locked: boolean;
                  };
                  profit: string;
                  profitNeeded: string;
                  bestDay: string;
                  tradingDays: number;
                  deadline: number | null;
                };
              } | null;
            }[];
          }[];
          certificate_key: string;
        };
      };
      get_challenge_certificate: {
        Args: {
          p_challenge_id: string;
        };
        Returns: {
          text: string;
        } | null;
      };
      create_invitation: {
        Args: {
          p_client_id?: string | null;
          p_note?: string | null;
          p_start_balance?: number | string | null;
          p_class_id?: string | null;
          p_uses_max: number;
          p_days: number;
        };
        Returns: {
          id: string;
          code: string;
          note: string;
          class_id: string | null;
          class_name: string | null;
          start_balance: number | null;
          uses: number;
          uses_max: number;
          expires_at: string;
          created_at: string;
          revoked_at: string | null;
        };
      };
      revoke_invitation: {
        Args: {
          p_id: string;
        };
        Returns: {
          id: string;
          code: string;
          note: string;
          class_id: string | null;
          class_name: string | null;
          start_balance: number | null;
          uses: number;
          uses_max: number;
          expires_at: string;
          created_at: string;
          revoked_at: string | null;
        };
      };
      list_invitations: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          code: string;
          note: string;
          class_id: string | null;
          class_name: string | null;
          start_balance: number | null;
          uses: number;
          uses_max: number;
          expires_at: string;
          created_at: string;
          revoked_at: string | null;
        }[];
      };
      get_invitation: {
        Args: {
          p_code: string;
        };
        Returns: {
          start_balance: number | null;
          class_name: string | null;
          expires_at: string;
        };
      };
      preview_user_import: {
        Args: {
          p_rows: {
            email: string;
            username: string;
            role: string;
            manager: string;
            start_balance: string;
            phone: string;
            class: string;
          }[];
        };
        Returns: {
          rows: {
            email: string;
            verdict: 'new' | 'exists' | 'refused';
            message: string | null;
            start_balance: number;
          }[];
        };
      };
      import_users: {
        Args: {
          p_import_id: string;
          p_rows_in_all: number;
          p_links: 'mail' | 'file';
          p_rows: {
            email: string;
            username: string;
            role: string;
            manager: string;
            start_balance: string;
            phone: string;
            class: string;
          }[];
        };
        Returns: {
          rows: {
            email: string;
            username: string | null;
            verdict: 'created' | 'exists' | 'refused';
            message: string | null;
            link: string | null;
          }[];
        };
      };
      assign_user_to_manager: {
        Args: {
          p_user_id: string;
          p_manager_id: string | null;
        };
        Returns: {
          id: string;
          email: string;
          username: string;
          role: 'trader' | 'manager' | 'support' | 'admin';
          phone_number: string | null;
          created_at: string;
          last_login: string | null;
          manager_id: string | null;
          kyc_status: 'unverified' | 'pending' | 'verified' | 'rejected';
          kyc_verified_at: string | null;
          restricted_at: string | null;
        };
      };
      get_my_manager: {
        Args: Record<string, never>;
        Returns: {
          username: string;
        } | null;
      };
      list_sessions: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          created_at: string;
          last_seen_at: string;
          user_agent: string | null;
          address: string | null;
          current: boolean;
        }[];
      };
      revoke_session: {
        Args: {
          p_id: string;
        };
        Returns: {
          id: string;
        };
      };
      save_push_subscription: {
        Args: {
          p_endpoint: string;
          p_p256dh: string;
          p_auth: string;
        };
        Returns: {
          id: string;
        };
      };
      list_push_devices: {
        Args: Record<string, never>;
        Returns: {
          id: string;
          created_at: string;
          last_sent_at: string | null;
          user_agent: string | null;
          current: boolean;
        }[];
      };
      remove_push_device: {
        Args: {
          p_id: string;
        };
        Returns: {
          id: string;
        };
      };
      create_signal_hook: {
        Args: {
          p_account_id: string;
          p_name: string;
        };
        Returns: {
          id: string;
          account_id: string;
          name: string;
          created_at: string;
          last_used_at: string | null;
          address: string;
        };
      };
      revoke_signal_hook: {
        Args: {
          p_hook_id: string;
        };
        Returns: {
          id: string;
        };
      };
      list_signal_hooks: {
        Args: {
          p_account_id?: string | null;
        };
        Returns: {
          id: string;
          account_id: string;
          name: string;
          created_at: string;
          last_used_at: string | null;
        }[];
      };
      list_signals: {
        Args: {
          p_account_id?: string | null;
        };
        Returns: {
          id: string;
          hook_id: string;
          hook_name: string;
          received_at: string;
          finished_at: string | null;
          outcome: 'pending' | 'done' | 'refused' | 'too_late' | 'unreadable';
          summary: string | null;
          detail: string | null;
          order_ids: string[];
          position_ids: string[];
          body: string;
        }[];
      };
      preview_signal: {
        Args: {
          p_account_id: string;
          p_body: string;
        };
        Returns: {
          status: 'ready' | 'refused' | 'unreadable';
          message: string | null;
          summary: string | null;
          action: 'buy' | 'sell' | 'exit' | 'cancel' | null;
          symbol: string | null;
          order: {
            type: 'MARKET' | 'LIMIT';
            side: 'BUY' | 'SELL';
            size: number;
            price: number | null;
            leverage: number;
            take_profit_price: number | null;
            stop_loss_price: number | null;
            reduce_only: boolean;
          } | null;
          closes: {
            position_id: string;
            size: number | null;
          }[];
          cancels: string[];
        };
      };
      impersonate_user: {
        Args: {
          p_user_id: string;
          p_reason: string;
        };
        Returns: {
          user_id: string;
          username: string;
          role: 'trader' | 'manager' | 'support' | 'admin';
          until: string;
        };
      };
      get_acting: {
        Args: Record<string, never>;
        Returns: {
          actor: string;
          actor_role: 'trader' | 'manager' | 'support' | 'admin';
          reason: string;
          until: string;
        } | null;
      };
      end_impersonation: {
        Args: Record<string, never>;
        Returns: {
          ended: boolean;
        };
      };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};

export type TableName = keyof Database['public']['Tables'];
/** A row as `/rest/v1` answers it. */
export type Row<T extends TableName> = Database['public']['Tables'][T]['Row'];
export type FunctionName = keyof Database['public']['Functions'];
export type Args<F extends FunctionName> = Database['public']['Functions'][F]['Args'];
export type Returns<F extends FunctionName> = Database['public']['Functions'][F]['Returns'];
