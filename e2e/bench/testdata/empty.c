/* The least that a hook can be: it is started, and it ends. */
int main(void) { return 0; }
