export interface Mailer {
  send(to: string, text: string): Promise<void>;
}

export class ConsoleMailer implements Mailer {
  async send(to: string, text: string): Promise<void> {
    console.log(`${to}: ${text}`);
  }
}
