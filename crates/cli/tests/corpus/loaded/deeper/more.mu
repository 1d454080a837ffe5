bool More() true;
